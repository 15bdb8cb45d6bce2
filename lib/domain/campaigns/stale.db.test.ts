import { beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createList, updateList } from "@/lib/domain/lists/lists";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { createSegment, updateSegment } from "@/lib/domain/segments/segments";
import { createTemplate, getTemplate, updateTemplate } from "@/lib/domain/templates/templates";
import { createWebhook, updateWebhook } from "@/lib/domain/webhooks/webhooks";
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
  const saved = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  expect(saved).toHaveLength(1);
  expect((await getCampaign(ctx, id)).subject).toBe(saved[0]?.subject);
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

const rename: Record<string, (name: string, basedOn?: string) => Promise<{ updatedAt: string }>> =
  {};

beforeAll(async () => {
  const filter = { and: [{ field: "subscribed", op: "eq" as const, value: true }] };
  const segment = await createSegment(ctx, { name: "First", filter });
  const list = await createList(ctx, { name: "First", fromEmail: "news@sandbox.test" });
  const webhook = await createWebhook(ctx, { url: "https://example.com/", events: ["*"] });
  rename["a segment"] = (name, basedOn) => updateSegment(ctx, segment.id, { name, basedOn });
  rename["a list"] = (name, basedOn) => updateList(ctx, list.id, { name, basedOn });
  rename["the project"] = (name, basedOn) => updateProjectSettings(ctx, { name, basedOn });
  rename["a webhook"] = (name, basedOn) =>
    updateWebhook(ctx, webhook.id, { url: `https://example.com/${name}`, basedOn });
});

test.each(["a segment", "a list", "a webhook", "the project"])(
  "a change of %s that was begun before another's is refused; of those begun at once one is made",
  async (thing) => {
    const change = rename[thing];
    if (!change) throw new Error(`There is no ${thing}.`);
    const begun = await change("begun");
    const second = await change("second", begun.updatedAt);
    expect(second.updatedAt > begun.updatedAt).toBe(true);
    await expect(change("late", begun.updatedAt)).rejects.toMatchObject(stale);
    // What the refused one would have written is not there: the second is still the last.
    await change("third", second.updatedAt);
    await change("last write");
    const { updatedAt } = await change("base");
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) => change(`writer-${at}`, updatedAt)),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  },
);

test("what a change is based on is a time with a zone", () => {
  expect(() => validate(campaignUpdate, { basedOn: "yesterday" })).toThrow(/ISO 8601/);
});
