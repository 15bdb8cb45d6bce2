import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { memberships, templateDrafts, templates } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { tellPresence } from "@/lib/domain/presence/presence";
import type { Context } from "@/lib/ground/context";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { untilBlocked } from "@/lib/testing/until-blocked";
import { templateDraftInput } from "./draft-schema";
import { forgetTemplateDraft, keepTemplateDraft, readTemplateDraft } from "./drafts";
import { deleteTemplate } from "./delete";
import { createTemplate, getTemplate, updateTemplate } from "./templates";

const database = useTestDatabase();
let ctx: Context;
let id: string;

/** A member of the project, signed in. */
async function member(name: string, role: "editor" | "viewer" = "editor"): Promise<Context> {
  const email = `${newId(ctx.projectId)}@example.com`;
  const user = await findOrCreateUser(database.db, { email, name });
  await database.db.insert(memberships).values({ projectId: ctx.projectId, userId: user.id, role });
  return { ...ctx, role, actor: { type: "user", id: user.id } };
}

beforeEach(async () => {
  ({ ctx } = await makeProject(database.db));
  ctx = await member("Ada");
  ({ id } = await createTemplate(ctx, { name: "News", subject: "Hi", body: "<p>One</p>" }));
});

const keep = (changes: object, more: object = {}, by = ctx) =>
  Promise.resolve().then(() =>
    keepTemplateDraft(by, id, validate(templateDraftInput, { changes, fromVersion: 1, ...more })),
  );
const stale = { code: "CONFLICT", details: [{ path: "basedOn" }] };

test("what is written is kept beside the template, which stays as it is, for its writer alone", async () => {
  const grace = await member("Grace");
  const { updatedAt } = await keep({ subject: "", body: "<p>Two {{" }, { basedOn: null });
  expect(await readTemplateDraft(ctx, id)).toEqual({
    base: { subject: "Hi", body: "<p>One</p>", design: null },
    changes: { subject: "", body: "<p>Two {{" },
    updatedAt,
  });
  expect(await readTemplateDraft(grace, id)).toBeNull();
  // Others are told that there is something.
  expect(await tellPresence(grace, "template", id, { tab: "b1" })).toEqual({
    others: [],
    unsaved: ["Ada"],
  });
  expect(await tellPresence(ctx, "template", id, { tab: "a1" })).toEqual({
    others: [{ name: "Grace", isYou: false }],
  });
  expect(await getTemplate(ctx, id)).toMatchObject({ version: 1, subject: "Hi" });

  // The base stays what was changed, whatever the template has become.
  await updateTemplate(grace, id, { subject: "Theirs" });
  expect((await readTemplateDraft(ctx, id))?.base.subject).toBe("Hi");
  await forgetTemplateDraft(ctx, id, updatedAt);
  expect(await readTemplateDraft(ctx, id)).toBeNull();
  await forgetTemplateDraft(ctx, id, updatedAt);
});

test("two tabs of one person do not replace each other's text unseen", async () => {
  const first = await keep({ subject: "A" }, { basedOn: null });
  await expect(keep({ subject: "B" }, { basedOn: null })).rejects.toMatchObject(stale);
  const second = await keep({ subject: "AB" }, { basedOn: first.updatedAt });
  expect(second.updatedAt > first.updatedAt).toBe(true);
  await expect(keep({ subject: "B" }, { basedOn: first.updatedAt })).rejects.toMatchObject(stale);
  await expect(forgetTemplateDraft(ctx, id, first.updatedAt)).rejects.toMatchObject(stale);
  expect((await readTemplateDraft(ctx, id))?.changes).toEqual({ subject: "AB" });
  await forgetTemplateDraft(ctx, id, second.updatedAt);
  await expect(keep({ subject: "C" }, { basedOn: second.updatedAt })).rejects.toMatchObject(stale);
  expect(await readTemplateDraft(ctx, id)).toBeNull();

  const outcomes = await Promise.allSettled(
    ["a", "b", "c", "d"].map((subject) => keep({ subject }, { basedOn: null })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a design is kept with its keys in their order", async () => {
  const design = {
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "text", text: "Hello" }] }],
    attrs: { theme: {} },
  };
  await keep({ design });
  const own = await readTemplateDraft(ctx, id);
  expect(JSON.stringify(own?.changes.design)).toBe(JSON.stringify(design));
  expect(own?.base).toEqual({ body: "<p>One</p>", design: null });
});

test("drafts go with their template, and with whoever leaves", async () => {
  const grace = await member("Grace");
  await keep({ subject: "Ada's" });
  await keep({ subject: "Grace's" }, {}, grace);
  const left = () =>
    database.db.$count(templateDrafts, eq(templateDrafts.projectId, ctx.projectId));
  await database.db
    .delete(memberships)
    .where(
      and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, grace.actor.id ?? "")),
    );
  expect(await left()).toBe(1);
  await deleteTemplate(ctx, id);
  expect(await left()).toBe(0);
});

test("what is kept while the template or the membership goes is told as not found", async () => {
  const grace = await member("Grace");
  const draft = { changes: { subject: "x" }, fromVersion: 1 };
  const more = { name: "Gone", subject: "Hi", body: "<p>One</p>" };
  const { id: deleted } = await createTemplate(ctx, more);
  const outcomes = await database.db.transaction(async (tx) => {
    await tx.delete(memberships).where(eq(memberships.userId, grace.actor.id ?? ""));
    await tx.delete(templates).where(eq(templates.id, decodeId("template", deleted) ?? ""));
    const keeping = Promise.allSettled([
      keepTemplateDraft(grace, id, draft),
      keepTemplateDraft(ctx, deleted, draft),
    ]);
    await untilBlocked(database.db, 2);
    return { keeping };
  });
  const refused = { status: "rejected", reason: { code: "NOT_FOUND" } };
  expect(await outcomes.keeping).toMatchObject([refused, refused]);
});

test("needs an editor of the project who has signed in", async () => {
  const viewer = await member("Vic", "viewer");
  await expect(keep({ subject: "x" }, {}, viewer)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect(await readTemplateDraft(viewer, id)).toBeNull();
  const key = { ...ctx, actor: { type: "apiKey", id: newId(ctx.projectId) } } as const;
  for (const act of [
    () => keep({ subject: "x" }, {}, key),
    () => readTemplateDraft(key, id),
    () => forgetTemplateDraft(key, id),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
  const { ctx: stranger } = await makeProject(database.db);
  for (const act of [
    () => keep({ subject: "x" }, {}, stranger),
    () => readTemplateDraft(stranger, id),
    () => forgetTemplateDraft(stranger, id),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test.each([
  ["nothing", {}, {}, "changes"],
  ["another field", { version: 2 }, {}, "changes.version"],
  ["a line beyond bounds", { subject: "x".repeat(2_001) }, {}, "changes.subject"],
  ["a body beyond bounds", { body: "x".repeat(5 * 1024 * 1024 + 1) }, {}, "changes.body"],
  ["no design", { design: { type: "none" } }, {}, "changes.design"],
  ["a version to come", { subject: "x" }, { fromVersion: 2 }, "fromVersion"],
])("refuses %s", async (_, changes, more, path) => {
  const refused = await keep(changes, more).catch(
    (error: { details: { path: string }[] }) => error,
  );
  expect("details" in refused ? refused.details[0]?.path : null).toMatch(
    new RegExp(`^${path.replace(".", "\\.")}`),
  );
});
