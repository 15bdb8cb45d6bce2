import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { contacts, hourlyFigures } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getOverview } from "@/lib/domain/overview/overview";
import type { Context } from "@/lib/ground/context";
import { noCampaign, type FigureName } from "@/lib/ground/counters/counters";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { createGoal, listGoals } from "./goals";
import type { Goal, GoalInput } from "./schema";

const database = useTestDatabase();

/** Makes it that time, in every session's time zone: the interval has no days. */
async function travelTo(time: string): Promise<void> {
  const [row] = await database.db.execute<{ far: string }>(sql`
    select extract(epoch from ${time}::timestamptz - app_now())::text as far`);
  await database.travel(`${row?.far} seconds`);
}

/** Figures of one hour. */
async function happened(
  { projectId }: Context,
  hour: string,
  figures: Partial<Record<FigureName, number>>,
) {
  await database.db
    .insert(hourlyFigures)
    .values({ projectId, campaignId: noCampaign, hour: new Date(hour), slot: 0, ...figures });
}

/** Contacts that were added then. */
async function added({ projectId }: Context, time: string, count = 1) {
  await database.db.insert(contacts).values(
    Array.from({ length: count }, () => {
      const id = newId(projectId, Date.parse(time));
      const email = `${id}@example.com`;
      return { id, projectId, email, consent: "subscribed" as const, createdAt: new Date(time) };
    }),
  );
}

async function set(ctx: Context, ...inputs: [GoalInput["figure"], GoalInput["period"], number][]) {
  for (const [figure, period, target] of inputs) await createGoal(ctx, { figure, period, target });
}
const reached = async (ctx: Context) =>
  (await listGoals(ctx)).data.map((goal) => [goal.figure, goal.period, goal.reached]);
const only = async (ctx: Context): Promise<Goal> => {
  const [goal] = (await listGoals(ctx)).data;
  if (!goal) throw new Error("There is no goal.");
  return goal;
};

test("each goal counts its own period, from the first hour to now", async () => {
  const { ctx } = await makeProject(database.db);
  const other = await makeProject(database.db);
  // A Wednesday: the week began on Monday the 13th, the quarter on 1 April.
  await travelTo("2030-05-15T12:30:00Z");
  for (const [hour, sent] of [
    ["2030-03-31T23:00:00Z", 1],
    ["2030-04-01T00:00:00Z", 2],
    ["2030-04-30T23:00:00Z", 4],
    ["2030-05-01T00:00:00Z", 8],
    ["2030-05-12T23:00:00Z", 16],
    ["2030-05-13T00:00:00Z", 32],
    ["2030-05-15T12:00:00Z", 64],
  ] as const) {
    await happened(ctx, hour, { sent });
    await happened(other.ctx, hour, { sent: 1000 });
    await added(ctx, hour, 1);
  }
  await added(ctx, "2030-05-12T23:59:59.999Z");
  await added(other.ctx, "2030-05-15T12:00:00Z", 5);
  await set(ctx, ["sent", "week", 1], ["sent", "month", 1], ["sent", "quarter", 1]);
  await set(ctx, ["newContacts", "week", 9], ["newContacts", "month", 9]);
  expect(await reached(ctx)).toEqual([
    ["newContacts", "week", 2],
    ["sent", "week", 96],
    ["newContacts", "month", 5],
    ["sent", "month", 120],
    ["sent", "quarter", 126],
  ]);
  await set(ctx, ["newContacts", "quarter", 9]);
  expect((await reached(ctx)).at(-2)).toEqual(["newContacts", "quarter", 7]);
  const [week] = (await listGoals(ctx)).data;
  expect(week).toMatchObject({
    ...{ startsAt: "2030-05-13T00:00:00.000Z", endsAt: "2030-05-20T00:00:00.000Z", daysLeft: 5 },
  });
});

test.each(["UTC", "America/New_York", "Pacific/Auckland"])(
  "periods end at midnight UTC, also in a session of %s",
  async (zone) => {
    const { ctx } = await makeProject(database.db);
    await set(ctx, ["sent", "week", 100], ["sent", "month", 100], ["sent", "quarter", 100]);
    const db = connect(`${database.url}?TimeZone=${zone}`, { max: 1 });
    const spans = async () =>
      (await listGoals({ ...ctx, db })).data.map(({ startsAt, endsAt, daysLeft }) => [
        ...[startsAt.slice(0, 16), endsAt.slice(0, 16)],
        daysLeft,
      ]);
    try {
      // A Sunday that is the last day of a quarter, when New York has summer time and Auckland no longer.
      await travelTo("2030-06-30T23:58:00Z");
      expect(await spans()).toEqual([
        ["2030-06-24T00:00", "2030-07-01T00:00", 1],
        ["2030-06-01T00:00", "2030-07-01T00:00", 1],
        ["2030-04-01T00:00", "2030-07-01T00:00", 1],
      ]);
      await happened(ctx, "2030-06-30T23:00:00Z", { sent: 40 });
      expect((await reached({ ...ctx, db })).map(([, , sent]) => sent)).toEqual([40, 40, 40]);
      await travelTo("2030-07-01T00:00:01Z");
      expect(await spans()).toEqual([
        ["2030-07-01T00:00", "2030-07-08T00:00", 7],
        ["2030-07-01T00:00", "2030-08-01T00:00", 31],
        ["2030-07-01T00:00", "2030-10-01T00:00", 92],
      ]);
      expect((await reached({ ...ctx, db })).map(([, , sent]) => sent)).toEqual([0, 0, 0]);
      // A leap year's February, and a week of two years.
      await travelTo("2032-02-29T23:00:00Z");
      expect((await spans())[1]).toEqual(["2032-02-01T00:00", "2032-03-01T00:00", 1]);
      await travelTo("2030-12-31T12:00:00Z");
      expect(await spans()).toEqual([
        ["2030-12-30T00:00", "2031-01-06T00:00", 6],
        ["2030-12-01T00:00", "2031-01-01T00:00", 1],
        ["2030-10-01T00:00", "2031-01-01T00:00", 1],
      ]);
    } finally {
      await db.$client.end({ timeout: 5 });
    }
  },
);

test("a count is compared with what a steady pace would have reached", async () => {
  const { ctx } = await makeProject(database.db);
  await travelTo("2030-05-13T00:00:10Z");
  await set(ctx, ["sent", "week", 700]);
  expect(await only(ctx)).toMatchObject({ reached: 0, expected: 0, standing: "onPace" });
  await travelTo("2030-05-16T12:00:00Z");
  expect(await only(ctx)).toMatchObject({ reached: 0, expected: 350, standing: "behind" });
  await happened(ctx, "2030-05-14T00:00:00Z", { sent: 349 });
  expect(await only(ctx)).toMatchObject({ reached: 349, standing: "behind" });
  await happened(ctx, "2030-05-14T01:00:00Z", { sent: 1 });
  expect(await only(ctx)).toMatchObject({ reached: 350, standing: "onPace", daysLeft: 4 });
  await happened(ctx, "2030-05-14T02:00:00Z", { sent: 349 });
  expect(await only(ctx)).toMatchObject({ reached: 699, standing: "onPace" });
  await happened(ctx, "2030-05-14T03:00:00Z", { sent: 1 });
  expect(await only(ctx)).toMatchObject({ reached: 700, of: null, standing: "reached" });
});

test("rates are of what Overview's are, and those that are to stay low have a limit", async () => {
  const { ctx } = await makeProject(database.db);
  await travelTo("2030-05-15T12:30:00Z");
  await set(ctx, ["openRate", "week", 40], ["clickRate", "week", 5.5]);
  await set(ctx, ["bounceRate", "week", 2], ["unsubscribeRate", "week", 0.5]);
  const standings = async () =>
    Object.fromEntries(
      (await listGoals(ctx)).data.map((goal) => [
        goal.figure,
        { reached: goal.reached, of: goal.of, standing: goal.standing },
      ]),
    );
  const nothing = { reached: null, standing: "nothing", of: { part: 0, whole: 0 } };
  expect(await standings()).toMatchObject({
    ...{ openRate: nothing, clickRate: nothing, bounceRate: nothing, unsubscribeRate: nothing },
  });
  expect((await only(ctx)).expected).toBeNull();

  await happened(ctx, "2030-05-14T08:00:00Z", {
    ...{ sent: 1020, bounced: 20, opened: 400, clicked: 54, unsubscribed: 5 },
  });
  const accepted = { whole: 1000, deliveryConfirmed: false };
  expect(await standings()).toEqual({
    openRate: { reached: 40, of: { part: 400, ...accepted }, standing: "reached" },
    clickRate: { reached: 5.4, of: { part: 54, ...accepted }, standing: "behind" },
    bounceRate: {
      ...{ reached: 1.96, standing: "within" },
      of: { part: 20, whole: 1020, deliveryConfirmed: false },
    },
    unsubscribeRate: { reached: 0.5, of: { part: 5, ...accepted }, standing: "within" },
  });
  const { rates } = await getOverview(ctx, { range: "7d" });
  expect([rates.opens, rates.clicks]).toEqual([0.4, 0.054]);

  // Reports confirm most of it: what was delivered is the measure, as on Overview.
  await happened(ctx, "2030-05-15T08:00:00Z", { delivered: 800, unsubscribed: 1, bounced: 2 });
  expect(await standings()).toMatchObject({
    openRate: { reached: 50, of: { part: 400, whole: 800, deliveryConfirmed: true } },
    clickRate: { reached: 6.75, standing: "reached" },
    bounceRate: { reached: 2.16, standing: "exceeded" },
    unsubscribeRate: { reached: 0.75, standing: "exceeded" },
  });
  expect((await getOverview(ctx, { range: "7d" })).rates.opens).toBe(0.5);
});
