import { beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createTemplate, getTemplate, updateTemplate } from "@/lib/domain/templates/templates";
import type { Context } from "@/lib/ground/context";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { createCampaign, updateCampaign } from "./campaigns";
import { getCampaign } from "./read";
import { campaignUpdate } from "./schema";

const database = useTestDatabase();
let ctx: Context;

beforeAll(async () => {
  ({ ctx } = await makeProject(database.db));
});

const stale = {
  code: "CONFLICT",
  details: [expect.objectContaining({ path: "basedOn" }) as unknown],
};

test("a campaign's change that was begun before another's is refused, and changes nothing", async () => {
  const begun = await createCampaign(ctx, { name: "News", subject: "First", incomplete: true });
  const basedOn = begun.updatedAt;
  const second = await updateCampaign(ctx, begun.id, {
    subject: "Second",
    incomplete: true,
    basedOn,
  });
  expect(second.updatedAt > basedOn).toBe(true);
  await expect(
    updateCampaign(ctx, begun.id, { name: "Late", incomplete: true, basedOn }),
  ).rejects.toMatchObject(stale);
  expect(await getCampaign(ctx, begun.id)).toMatchObject({ name: "News", subject: "Second" });
  const third = { name: "Third", incomplete: true };
  await updateCampaign(ctx, begun.id, { ...third, basedOn: second.updatedAt });
  await updateCampaign(ctx, begun.id, { ...third, subject: "Last write" });
  expect(await getCampaign(ctx, begun.id)).toMatchObject({ name: "Third", subject: "Last write" });
});

test("of many changes begun at once exactly one is made", async () => {
  const { id, updatedAt } = await createCampaign(ctx, { name: "Race", incomplete: true });
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) =>
      updateCampaign(ctx, id, { subject: `Writer ${at}`, incomplete: true, basedOn: updatedAt }),
    ),
  );
  const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  expect(made).toHaveLength(1);
  expect((await getCampaign(ctx, id)).subject).toBe(made[0]?.subject);
});

test("changes in quick succession are states that can be told apart", async () => {
  const { id } = await createCampaign(ctx, { name: "Quick", incomplete: true });
  const states = new Set<string>();
  for (let at = 0; at < 20; at += 1) {
    const { updatedAt } = await updateCampaign(ctx, id, { subject: `${at}`, incomplete: true });
    states.add(updatedAt);
  }
  expect(states.size).toBe(20);
});

test("a template's change that was begun before another's is refused, and makes no version", async () => {
  const content = { name: "Welcome", subject: "Hi", body: "<p>First</p>" };
  const { id, updatedAt } = await createTemplate(ctx, content);
  await updateTemplate(ctx, id, { body: "<p>Second</p>", basedOn: updatedAt });
  await expect(
    updateTemplate(ctx, id, { subject: "Late", basedOn: updatedAt }),
  ).rejects.toMatchObject(stale);
  expect(await getTemplate(ctx, id)).toMatchObject({
    ...content,
    body: "<p>Second</p>",
    version: 2,
  });
});

test("what a change is based on is a time with a zone", () => {
  expect(() => validate(campaignUpdate, { basedOn: "yesterday" })).toThrow(/ISO 8601/);
});
