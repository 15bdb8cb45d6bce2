import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { previewSegment } from "@/lib/domain/segment-members/segment-members";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import type { Context } from "@/lib/ground/context";
import { decodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { send } from "@/lib/testing/delivery";
import { getEngagement, suggestSunset } from "./read";

const database = useTestDatabase();
let ctx: Context;

/** A contact and their mail: how many days ago each was sent, and opened or clicked. */
async function reader(
  name: string,
  mail: { sent: number; opened?: number; clicked?: number }[],
  unsubscribed = false,
): Promise<void> {
  const { contact } = await upsertContact(ctx, { email: `${name}@example.org`, unsubscribed });
  for (const { sent, opened, clicked } of mail) {
    const ago = (days: number | undefined) =>
      days === undefined ? sql`null` : sql`app_now() - make_interval(days => ${days}::int)`;
    await database.db.execute(sql`
      insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at,
        opened_at, clicked_at, created_at)
      values (${newUnownedId()}, ${ctx.projectId}, ${newUnownedId()}, ${decodeId("contact", contact.id)},
        ${contact.email}, 'TRANSACTIONAL', 'SENT', ${ago(sent)}, ${ago(opened)}, ${ago(clicked)},
        ${ago(sent)})`);
  }
}

const lately = (...days: number[]) => days.map((sent) => ({ sent }));

beforeAll(async () => {
  ({ ctx } = await makeProject(database.db));
  await reader("fan", [
    { sent: 1, opened: 0, clicked: 0 },
    { sent: 20, opened: 20 },
  ]);
  await reader("monthly", [{ sent: 40, opened: 30 }, ...lately(20, 10)]);
  await reader("sleeper", [{ sent: 210, opened: 200 }, ...lately(100, 60, 30, 5)]);
  await reader("stranger", lately(400, 170, 90, 10));
  await reader("few", lately(300, 10));
  await reader("gone", lately(400, 170, 90, 10), true);
  await reader("unwritten", []);
});

async function members(...and: SegmentFilter[]): Promise<string[]> {
  const { sample, count } = await previewSegment(ctx, { and });
  expect(sample).toHaveLength(count);
  return sample.map(({ email }) => email.replace("@example.org", "")).sort();
}

test("a contact's engagement is told with its reason", async () => {
  expect(await getEngagement(ctx, "fan@example.org")).toMatchObject({
    score: 90,
    inactiveDays: 0,
    sent: 2,
    opened: 2,
    clicked: 1,
    explanation: expect.stringContaining("Engaged, 90 of 100") as string,
  });
  expect(await getEngagement(ctx, "monthly@example.org")).toMatchObject({
    score: 35,
    inactiveDays: 30,
  });
  expect(await getEngagement(ctx, "stranger@example.org")).toMatchObject({
    score: 0,
    inactiveDays: 400,
    lastSeenAt: null,
  });
  expect(await getEngagement(ctx, "unwritten@example.org")).toMatchObject({
    score: null,
    inactiveDays: null,
    lastSentAt: null,
  });
});

test("twelve months of mail are counted by the month it was sent in, without test keys' mail", async () => {
  const { months } = await getEngagement(ctx, "monthly@example.org");
  expect(months).toHaveLength(12);
  expect(months.map(({ month }) => month)).toEqual([...months.map(({ month }) => month)].sort());
  expect(months.at(-1)?.month).toBe(new Date().toISOString().slice(0, 7));
  const add = (key: "sent" | "opened" | "clicked") =>
    months.reduce((sum, month) => sum + month[key], 0);
  expect([add("sent"), add("opened"), add("clicked")]).toEqual([3, 1, 0]);
  // Sent 400 days ago: before them.
  const stranger = await getEngagement(ctx, "stranger@example.org");
  expect(stranger.months.reduce((sum, { sent }) => sum + sent, 0)).toBe(3);
  const { ctx: own } = await makeProject(database.db);
  const { contact } = await upsertContact(own, { email: "tested@example.net" });
  await send({ ...own, testMode: true }, { to: contact.email, from: "hello@sandbox.test" });
  await database.db.execute(sql`update emails set sent_at = app_now(), opened_at = app_now()
    where contact_id = ${decodeId("contact", contact.id)}`);
  const tested = await getEngagement(own, contact.id);
  expect(tested.months.reduce((sum, { sent }) => sum + sent, 0)).toBe(0);
});

test("segments ask for it, and agree with it", async () => {
  expect(await members({ field: "engagementScore", op: "gt", value: 34 })).toEqual([
    "fan",
    "monthly",
  ]);
  expect(await members({ field: "engagementScore", op: "eq", value: 35 })).toEqual(["monthly"]);
  expect(await members({ field: "engagementScore", op: "exists", value: false })).toEqual([
    "unwritten",
  ]);
  expect(await members({ field: "inactiveDays", op: "gt", value: 199 })).toEqual([
    ...["few", "gone", "sleeper", "stranger"],
  ]);
  expect(await members({ field: "inactiveDays", op: "gt", value: 200 })).toEqual([
    ...["few", "gone", "stranger"],
  ]);
  expect(await members({ field: "inactiveDays", op: "lt", value: 31 })).toEqual(["fan", "monthly"]);
  expect(await members({ field: "inactiveDays", op: "gt", value: -1 })).toHaveLength(6);
  expect(await members({ field: "ignoredEmails", op: "gt", value: 2 })).toEqual([
    ...["gone", "sleeper", "stranger"],
  ]);
  const ignoring = { field: "ignoredEmails", op: "gt", value: 2 } as const;
  expect(await members(ignoring, { field: "inactiveDays", op: "lt", value: 300 })).toEqual([
    "sleeper",
  ]);
  expect(await members(ignoring, { field: "inactiveDays", op: "neq", value: 400 })).toEqual([
    "sleeper",
  ]);
  expect(await members({ field: "lastSeenAt", op: "exists", value: true })).toEqual([
    ...["fan", "monthly", "sleeper"],
  ]);
});

test("what is no number matches nobody, and stops no statement", async () => {
  for (const field of ["engagementScore", "inactiveDays", "ignoredEmails"]) {
    for (const value of ["many", "", true, 1e300, "Infinity"]) {
      for (const op of ["gt", "lt", "eq", "contains"] as const) {
        const all = op === "lt" && Number(value) === 1e300 ? 6 : 0;
        expect(await members({ field, op, value }), `${field} ${op} ${value}`).toHaveLength(all);
      }
    }
  }
});

test("people who stopped reading are counted, only those whom campaigns reach, and a segment finds the same", async () => {
  expect(await suggestSunset(ctx)).toEqual({
    subscribed: 6,
    data: [
      { days: 90, count: 2 },
      { days: 180, count: 2 },
      { days: 365, count: 1 },
    ],
  });
  expect(
    await members(
      { field: "subscribed", op: "eq", value: true },
      { field: "inactiveDays", op: "gt", value: 180 },
      { field: "ignoredEmails", op: "gt", value: 2 },
    ),
  ).toEqual(["sleeper", "stranger"]);
});
