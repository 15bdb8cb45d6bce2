import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { presences } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { createTemplate } from "@/lib/domain/templates/templates";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { tellPresence } from "./presence";

const database = useTestDatabase();

const content = { name: "News", subject: "News", body: "<p>Hi</p>" };
/** The same project, as somebody else. */
async function colleague(ctx: Context, name: string): Promise<Context> {
  const email = `${name.toLowerCase()}-${ctx.projectId}@example.com`;
  const { id } = await findOrCreateUser(database.db, { email, name });
  return { ...ctx, actor: { type: "user", id }, role: "viewer" };
}
const nobody = { others: [] };

test("two people in one template are told of each other, and no longer once one has gone", async () => {
  const { ctx } = await makeProject(database.db);
  const { id } = await createTemplate(ctx, content);
  const ada = await colleague(ctx, "Ada");
  const here = (who: Context, tab: string) => tellPresence(who, "template", id, { tab });

  expect(await here(ctx, "mine")).toEqual(nobody);
  expect(await here(ada, "hers")).toEqual({ others: [{ name: "Test Person", isYou: false }] });
  // Once each, however many tabs; and another tab of one's own.
  await here(ada, "hers2");
  expect(await here(ctx, "mine")).toEqual({ others: [{ name: "Ada", isYou: false }] });
  expect(await here(ctx, "second")).toEqual({
    others: [
      { name: "Ada", isYou: false },
      { name: "Test Person", isYou: true },
    ],
  });

  await database.travel("60 seconds");
  expect((await here(ctx, "mine")).others).toHaveLength(2);
  await database.travel("20 seconds");
  expect(await here(ctx, "mine")).toEqual(nobody);
  expect(await here(ada, "hers")).toEqual({ others: [{ name: "Test Person", isYou: false }] });
});

test("other documents and other projects are none of it", async () => {
  const { ctx } = await makeProject(database.db);
  const { ctx: stranger } = await makeProject(database.db);
  const template = await createTemplate(ctx, content);
  const campaign = await createCampaign(ctx, { ...content, from: "news@sandbox.test" });
  const ada = await colleague(ctx, "Ada");
  await tellPresence(ada, "template", template.id, { tab: "a" });
  expect(await tellPresence(ctx, "campaign", campaign.id, { tab: "b" })).toEqual(nobody);
  await tellPresence(ada, "campaign", campaign.id, { tab: "a" });
  expect((await tellPresence(ctx, "campaign", campaign.id, { tab: "b" })).others).toHaveLength(1);
  for (const [kind, id] of [
    ["template", template.id],
    ["campaign", campaign.id],
    ["template", campaign.id],
    ["campaign", "nonsense"],
  ] as const) {
    await expect(tellPresence(stranger, kind, id, { tab: "c" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});

test("a program is told who is there and is nobody itself", async () => {
  const { ctx } = await makeProject(database.db);
  const { id } = await createTemplate(ctx, content);
  const program: Context = { ...ctx, actor: { type: "system", id: null } };
  await tellPresence(ctx, "template", id, { tab: "a" });
  expect((await tellPresence(program, "template", id, { tab: "b" })).others).toHaveLength(1);
  expect(await tellPresence(ctx, "template", id, { tab: "a" })).toEqual(nobody);
});

test("however many tabs somebody makes up, the newest ten are kept", async () => {
  const { ctx } = await makeProject(database.db);
  const ada = await colleague(ctx, "Ada");
  const { id } = await createTemplate(ctx, content);
  const { id: other } = await createTemplate(ctx, { ...content, name: "Other" });
  await tellPresence(ctx, "template", id, { tab: "mine" });
  await tellPresence(ada, "template", other, { tab: "hers" });
  for (let n = 0; n < 30; n++) {
    await tellPresence(ada, "template", id, { tab: `made${n}` });
  }
  const rows = await database.db
    .select({ tab: presences.tab })
    .from(presences)
    .where(eq(presences.projectId, ctx.projectId));
  expect(rows.map(({ tab }) => tab).toSorted()).toEqual(
    ["hers", "mine", ...Array.from({ length: 10 }, (_, n) => `made${n + 20}`)].toSorted(),
  );
});
