import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { campaigns, hourlyFigures } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { slotsPerVariant } from "@/lib/ground/counters/counters";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { getCampaignSpread } from "./spread";

const database = useTestDatabase();
const hour = new Date("2026-11-20T08:00:00.000Z");

/** A campaign at people's own hours; figures of both groups, in their order. */
async function campaignOf(groups: [delivered: number, opened: number][], confirmed = true) {
  const { ctx, projectId } = await makeProject(database.db);
  const id = newUnownedId();
  const personalTime = { mode: "reader" as const, at: "09:00" };
  await database.db.insert(campaigns).values({ id, projectId, name: "News", personalTime });
  for (const [index, [delivered, opened]] of groups.entries()) {
    await database.db.insert(hourlyFigures).values({
      ...{ projectId, campaignId: id, hour, slot: slotsPerVariant * (index + 1) },
      ...{ settled: delivered, sent: delivered, delivered, opened },
      ...(confirmed ? {} : { delivered: opened, inferred: opened }),
    });
  }
  return { ctx, projectId, id, wireId: encodeId("campaign", id) };
}

test("the control group shows what people's own hours are good for, and when that may be chance", async () => {
  const sentenceOf = async (own: [number, number], control: [number, number]) => {
    const { ctx, wireId } = await campaignOf([own, control]);
    return (await getCampaignSpread(ctx, wireId)).comparison?.sentence;
  };
  expect(await sentenceOf([9_000, 4_500], [1_000, 400])).toBe(
    "At their own hour 10.0 points more opened it than in the control group: their own hour is better.",
  );
  expect(await sentenceOf([9_000, 3_600], [1_000, 500])).toBe(
    "At their own hour 10.0 points fewer opened it than in the control group: their own hour is worse.",
  );
  expect(await sentenceOf([90, 45], [10, 4])).toBe(
    "At their own hour 10.0 points more opened it than in the control group: the difference may be chance.",
  );
  expect(await sentenceOf([90, 45], [0, 0])).toMatch(/^There is nothing to compare/);
});

test("where nobody confirms deliveries the groups are compared by what was accepted", async () => {
  const { ctx, wireId } = await campaignOf(
    [
      [9_000, 4_500],
      [1_000, 400],
    ],
    false,
  );
  const { comparison } = await getCampaignSpread(ctx, wireId);
  expect(comparison).toMatchObject({
    ...{ deliveryConfirmed: false, ownHour: { openRate: 0.5 }, control: { openRate: 0.4 } },
    sentence: expect.stringContaining("their own hour is better") as string,
  });
});

test("the hours say what went out and what is still due in each", async () => {
  const { ctx, projectId, id, wireId } = await campaignOf([[5, 1]]);
  await database.db.execute(sql`
    insert into email_queue (email_id, project_id, campaign_id, asleep, due_at)
    select new_id(), ${projectId}, ${id}, true,
      ${hour.toISOString()}::timestamptz + interval '90 minutes' from generate_series(1, 3)`);
  expect((await getCampaignSpread(ctx, wireId)).hours).toEqual([
    { hour: "2026-11-20T08:00:00.000Z", sent: 5, waiting: 0 },
    { hour: "2026-11-20T09:00:00.000Z", sent: 0, waiting: 3 },
  ]);
});
