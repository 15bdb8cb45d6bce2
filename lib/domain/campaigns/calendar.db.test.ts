import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { campaigns } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { getCampaignCalendar } from "./calendar";
import { mostInMonth } from "./calendar-schema";

const database = useTestDatabase();
let ctx: Context;
beforeEach(async () => {
  ({ ctx } = await makeProject(database.db));
});

const time = (text: string) => new Date(`${text}:00.000Z`);
type Row = Partial<typeof campaigns.$inferInsert>;
const add = (name: string, row: Row, projectId = ctx.projectId) =>
  database.db.insert(campaigns).values({ id: newId(projectId), projectId, name, ...row });
const namesOf = async (month: string) =>
  (await getCampaignCalendar(ctx, { month })).data.map(({ name }) => name);

test("a month has what was sent, is scheduled or has a latest time, in order, and nothing else", async () => {
  const [begun, planned] = [time("2026-11-20T09:00"), time("2026-11-25T09:00")];
  await add("scheduled", { status: "SCHEDULED", scheduledAt: planned });
  await add("sent", { status: "SENT", startedAt: begun, scheduledAt: time("2026-10-01T09:00") });
  await add("draft with a day", { sendBefore: time("2026-11-30T12:00") });
  await add("draft without one", {});
  await add("called off", { status: "CANCELLED", scheduledAt: planned });
  await add("stopped half-way", { status: "CANCELLED", startedAt: time("2026-11-02T09:00") });
  await add("failed", { status: "FAILED", scheduledAt: time("2026-11-03T09:00") });
  await add("in Kiritimati's November", { status: "SENT", startedAt: time("2026-10-31T10:00") });
  await add("in nobody's", { status: "SENT", startedAt: time("2026-10-31T09:59") });
  const other = await makeProject(database.db);
  await add("another project's", { status: "SENT", startedAt: begun }, other.projectId);
  const { data, complete } = await getCampaignCalendar(ctx, { month: "2026-11" });
  expect(complete).toBe(true);
  expect(data.map(({ name, status, at }) => [name, status, at])).toEqual([
    ["in Kiritimati's November", "SENT", "2026-10-31T10:00:00.000Z"],
    ["stopped half-way", "CANCELLED", "2026-11-02T09:00:00.000Z"],
    ["failed", "FAILED", "2026-11-03T09:00:00.000Z"],
    ["sent", "SENT", "2026-11-20T09:00:00.000Z"],
    ["scheduled", "SCHEDULED", "2026-11-25T09:00:00.000Z"],
    ["draft with a day", "DRAFT", "2026-11-30T12:00:00.000Z"],
  ]);
  expect(data[0]?.id).toMatch(/^cmp_/);
  expect(await namesOf("2026-09")).toEqual([]);
});

test("a month with more than anybody can look at says that it is not all", async () => {
  await database.db.execute(sql`
    insert into campaigns (id, project_id, name, status, started_at)
    select new_id(${ctx.projectId}), ${ctx.projectId}, 'News', 'SENT', '2026-11-20T09:00:00Z'
    from generate_series(0, ${mostInMonth})`);
  const { data, complete } = await getCampaignCalendar(ctx, { month: "2026-11" });
  expect([data.length, complete]).toEqual([mostInMonth, false]);
});

test("it takes its rows by the index of days, however many campaigns there are", async () => {
  await database.db.execute(sql`
    insert into campaigns (id, project_id, name, status, started_at)
    select new_id(${ctx.projectId}), ${ctx.projectId}, 'News', 'SENT', app_now() - n * interval '1 day'
    from generate_series(0, 3000) n`);
  await database.db.execute(sql`analyze campaigns`);
  const plan = await database.db.execute<{ "QUERY PLAN": string }>(sql`
    explain select id from campaigns where project_id = ${ctx.projectId}
      and coalesce(started_at, scheduled_at, send_before) >= app_now() - interval '40 days'
      and coalesce(started_at, scheduled_at, send_before) < app_now() - interval '10 days'`);
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("campaigns_calendar");
});
