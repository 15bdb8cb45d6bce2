import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { getEmailContent } from "@/lib/domain/emails/content";
import { getEmail, listEmails } from "@/lib/domain/emails/read";
import { getOverview } from "@/lib/domain/overview/overview";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { recordVisits } from "@/lib/domain/tracking/record";
import { LinkTargets } from "@/lib/domain/tracking/targets";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance, makeCampaign, seedContacts } from "@/lib/testing/campaigns";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { travelTo } from "@/lib/testing/travel-to";
import { cleanUp } from "./cleanup";

/* A year of a small installation, from month to month. */

const database = useTestDatabase();
const months = 12;
const people = 3;
const from = "shop@sandbox.test";
const visitor = { userAgent: "Mozilla/5.0 Firefox/140.0", address: "203.0.113.7" };

interface Sender {
  ctx: Context;
  projectId: string;
  /** By month: mail of its last minutes, that of the next month's first, and a campaign between. */
  sent: { before: string; after: string; campaign: string }[];
}

async function makeSender(): Promise<Sender> {
  const { ctx, projectId } = await makeProject(database.db);
  await seedContacts(database.db, projectId, people);
  return { ctx, projectId, sent: [] };
}

async function one<Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) {
  const [row] = await database.db.execute<Row>(query);
  if (!row) throw new Error("There is no row.");
  return row;
}

const dispatch = () => dispatchDue({ db: database.db, transport: null });
const clean = () => cleanUp(database.db, AbortSignal.timeout(60_000));
const monthStart = sql`date_trunc('month', app_now(), 'UTC')`;
const text = async (time: ReturnType<typeof sql>) =>
  (await one<{ at: string }>(sql`select (${time})::text as at`)).at;

/** Months with a partition, as they stand to the present one: -1 is the last. */
async function partitions(): Promise<number[]> {
  const rows = await database.db.execute<{ month: number }>(sql`
    select (extract(year from age(month, now)) * 12 + extract(month from age(month, now)))::int as month
    from (select to_date(right(relname, 6), 'YYYYMM')::timestamp as month,
        date_trunc('month', app_now() at time zone 'UTC') as now
      from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'email_events'::regclass and relname ~ '[0-9]$') found order by 1`);
  return rows.map(({ month }) => month);
}

async function sendOne({ ctx }: Sender): Promise<string> {
  const [id = ""] = await send(ctx, {
    from,
    to: "ada@example.com",
    body: '<p>Hello {{ name }} <a href="https://example.com/receipt">Receipt</a></p>',
    data: { name: "Ada" },
  });
  return id;
}

/** Mail before and after the end of the present month, read and answered in the next. */
async function overTheBorder(senders: Sender[]): Promise<void> {
  await travelTo(database, sql`${monthStart} + interval '1 month' - interval '2 minutes'`);
  const before = await Promise.all(senders.map(sendOne));
  await dispatch();
  await travelTo(database, sql`${monthStart} + interval '1 month 2 minutes'`);
  const visits = before.map((emailId) => ({ emailId, link: null, visitor }));
  await recordVisits(database.db, visits);
  const after = await Promise.all(senders.map(sendOne));
  for (const [place, sender] of senders.entries()) {
    const { projectId } = sender;
    const campaign = await makeCampaign(database.db, { projectId, fromEmail: "news@sandbox.test" });
    sender.sent.push({ before: before[place] ?? "", after: after[place] ?? "", campaign });
  }
  await advance(database.db);
  await dispatch();
  await advance(database.db);
}

const record = ({ ctx }: Sender, id = "") => getEmail(ctx, encodeId("email", id));
const names = async (sender: Sender, id = "") =>
  (await record(sender, id)).events.map(({ name }) => name);

it("in a year of mail, months come and go, history ends where each project says, and figures stay right", async () => {
  const [long, short] = [await makeSender(), await makeSender()];
  await database.db.execute(sql`update domains set track_clicks = true`);
  await updateProjectSettings(short.ctx, {
    retention: { contents: 30, events: 60, links: 200, emails: 180 },
  });
  const perMonth = 2 + people;
  for (let month = 1; month <= months; month++) {
    await overTheBorder([long, short]);
    const { before = "", after = "" } = short.sent.at(-1) ?? {};
    expect(await names(short, before)).toEqual(["queued", "sent", "delivered", "opened"]);

    // Lists and figures have each on its own side of the border.
    const border = new Date(await text(monthStart)).toISOString();
    for (const { ctx } of [long, short]) {
      const later = await listEmails(ctx, {
        limit: 100,
        startDate: border,
        source: "TRANSACTIONAL",
      });
      expect(later.data).toHaveLength(1);
      const { totals } = await getOverview(ctx, { range: "24h" });
      expect(totals).toMatchObject({ sent: perMonth, opened: 1 });
    }
    expect((await record(short, after)).createdAt >= border).toBe(true);

    await clean();
    await database.travel("14 days");
    await clean();
    const made = await partitions();
    expect(made.slice(-3)).toEqual([0, 1, 2]);
    const stray = await one(sql`select count(*)::int as n from email_events_default`);
    expect(stray).toEqual({ n: 0 });
    const { totals } = await getOverview(short.ctx, { range: "90d" });
    expect(totals.sent).toBe(perMonth * Math.min(month, 3));
  }

  // Nothing of the one that keeps everything is gone, and there is a partition for each of its months.
  const kept = await one(
    sql`select count(*)::int as n from emails where project_id = ${long.projectId}`,
  );
  expect(kept).toEqual({ n: perMonth * months });
  expect((await partitions())[0]).toBe(-months);
  expect(await names(long, long.sent[0]?.before)).toEqual([
    "queued",
    "sent",
    "delivered",
    "opened",
  ]);
  expect(
    (await getEmailContent(long.ctx, encodeId("email", long.sent[0]?.before ?? ""))).message,
  ).not.toBe(null);

  // Of the other: 14 days, then months of 28 to 31 days back.
  const [newest, older, third] = short.sent.toReversed();
  expect((await getEmailContent(short.ctx, encodeId("email", newest?.before ?? ""))).problem).toBe(
    null,
  );
  expect(await getEmailContent(short.ctx, encodeId("email", older?.before ?? ""))).toEqual({
    message: null,
    capturedId: null,
    problem: "What it said was deleted: the project keeps contents no longer.",
  });
  expect(await names(short, older?.before)).toEqual(["queued", "sent", "delivered", "opened"]);
  const past = short.sent.at(-5);
  expect(await names(short, past?.before)).toEqual(["queued"]);
  expect(await record(short, past?.before)).toMatchObject({ status: "OPENED", opens: 1 });
  expect(third).toBeDefined();
  const aged = await one(sql`
    select count(*)::int as n, min(created_at) > app_now() - interval '180 days' as young
    from emails where project_id = ${short.projectId}`);
  expect(aged).toEqual({ n: perMonth * 6, young: true });
  const links = await database.db.execute<{ id: string; mine: boolean; young: boolean }>(sql`
    select id::text, project_id = ${short.projectId} as mine,
      created_at > app_now() - interval '200 days' as young
    from links where campaign_id is null`);
  expect(links.filter(({ mine, young }) => mine && !young)).toEqual([]);
  expect(links.filter(({ mine }) => mine)).toHaveLength(14);
  expect(links.filter(({ mine }) => !mine)).toHaveLength(2 * months);
  const target = await new LinkTargets(() => database.db).get(
    BigInt(links.find(({ mine }) => !mine)?.id ?? 0),
  );
  expect(target?.url).toBe("https://example.com/receipt");

  // What was counted is as it was, of campaigns whose mail is gone, too.
  for (const { ctx, sent } of [long, short]) {
    const campaign = await getCampaign(ctx, encodeId("campaign", sent[0]?.campaign ?? ""));
    expect(campaign).toMatchObject({ status: "SENT", stats: { recipients: people, sent: people } });
  }

  // Once nobody keeps them, old months go with their tables.
  await updateProjectSettings(long.ctx, { retention: { events: 60 } });
  await clean();
  expect(await partitions()).toEqual([-2, -1, 0, 1, 2]);
  expect(await names(long, long.sent[0]?.before)).toEqual(["queued"]);
  expect(await names(long, long.sent.at(-1)?.before)).toEqual([
    "queued",
    "sent",
    "delivered",
    "opened",
  ]);
}, 180_000);
