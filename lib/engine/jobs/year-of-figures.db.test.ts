import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { emailEvents, jobRuns } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getCampaign, getCampaignActivity } from "@/lib/domain/campaigns/read";
import { getDepartures } from "@/lib/domain/departures/departures";
import { listEvents } from "@/lib/domain/events/read";
import { getMailingList } from "@/lib/domain/lists/overview";
import { getOverview } from "@/lib/domain/overview/overview";
import { overviewRanges, rangeNames } from "@/lib/domain/overview/terms";
import { getUsage } from "@/lib/domain/projects/usage";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { listDeliveries } from "@/lib/domain/webhooks/deliveries";
import type { WebhookEvent } from "@/lib/ground/events/names";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { Chance } from "@/lib/testing/chance";
import { travelTo } from "@/lib/testing/travel-to";
import { until } from "@/lib/testing/until";
import { makeWebhook, startEndpoint } from "@/lib/testing/webhooks";
import {
  checkLastEvents,
  checkLog,
  checkTimeline,
  dayOf,
  isGone,
  iso,
  pages,
  type Party,
} from "@/lib/testing/year/check-pages";
import {
  beginningOfYear,
  day,
  momentsOfYear,
  monthOf,
  monthStart,
  type Moment,
} from "@/lib/testing/year/days";
import {
  always,
  countFirst,
  figuresOf,
  firstTime,
  type LedgerMail,
} from "@/lib/testing/year/ledger";
import { Sender } from "@/lib/testing/year/sender";
import { runJob } from "./jobs";

/*
 * A year of two small projects, every few days and on both sides of every month's end, as a worker lives through it. What
 * the product shows is compared with what its customers remember of it.
 */

const database = useTestDatabase();
const kept = { emails: 75, events: 30, webhookDeliveries: 10 };
const deliveriesKeptByDefault = 30;
const told = [
  "sent",
  "deferred",
  "delivered",
  "opened",
  "clicked",
  "bounced",
  "complained",
] as const;
const types = told.map((name): WebhookEvent => `email.${name}`);

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** The first try at the end of a month fails. */
let refuses = false;

async function makeParty(own: Party["kept"] | null, seed: number): Promise<Party> {
  const project = await makeProject(database.db);
  if (own) await updateProjectSettings(project.ctx, { retention: own });
  const days = own ?? {
    ...{ emails: Infinity, events: Infinity, webhookDeliveries: deliveriesKeptByDefault },
  };
  const endpoint = await startEndpoint((_request, response) => {
    response.statusCode = refuses ? 503 : 200;
    response.end();
  });
  stops.push(() => endpoint.stop());
  const { id: webhookId } = await makeWebhook(project.ctx, endpoint.url, types);
  const sender = new Sender(project, days.emails, new Chance(seed));
  await sender.begin();
  const { nextCursor: cursor } = await listEvents(project.ctx, { after: "now", limit: 1 });
  return { sender, kept: days, endpoint, webhookId, stream: { cursor, seen: [] } };
}

const hourOf = (at: number) => `${iso(at).slice(0, 13)}:00:00Z`;

/** Partitions by month, and how many events of each project are in them. */
async function partitions() {
  const rows = await database.db.execute<{ name: string; project: string | null; n: number }>(sql`
    select c.relname::text as name, rows.project, coalesce(rows.n, 0)::int as n
    from pg_inherits part join pg_class c on c.oid = part.inhrelid left join (
      select ${emailEvents}.tableoid as id, ${emailEvents.projectId} as project, count(*) as n
      from ${emailEvents} group by 1, 2
    ) rows on rows.id = c.oid
    where part.inhparent = 'email_events'::regclass order by 1`);
  const monthIn = (name: string) => name.replace(/^email_events_(\d{4})(\d\d)$/, "$1-$2");
  return rows.map(({ name, ...row }) => ({ ...row, month: monthIn(name) }));
}

/** There is a place for what comes, no event is outside its month, and each project has those it is to have. */
async function checkPartitions(parties: readonly Party[], now: number, cleanedAt: number) {
  const rows = await partitions();
  const months = [...new Set(rows.map(({ month }) => month))];
  expect(rows.find(({ month }) => month === "email_events_default")).toMatchObject({ n: 0 });
  const ahead = cleanedAt >= monthStart(now) ? [0, 1, 2] : [0, 1];
  expect(months).toEqual(expect.arrayContaining(ahead.map((n) => monthOf(monthStart(now, n)))));
  for (const party of parties) {
    const { sender } = party;
    const expected = new Map<string, number>();
    for (const { at } of sender.mails
      .filter((mail) => sender.isKept(mail, cleanedAt))
      .flatMap(({ happened }) => happened)) {
      if (!isGone(party, at, cleanedAt))
        expected.set(monthOf(at), (expected.get(monthOf(at)) ?? 0) + 1);
    }
    const found = rows.filter(({ project }) => project === sender.project.projectId);
    expect(Object.fromEntries(found.map(({ month, n }) => [month, n]))).toEqual(
      Object.fromEntries(expected),
    );
  }
}

async function checkOverview({ sender }: Party, { at: now, kind }: Moment) {
  for (const range of kind === "day" ? (["24h"] as const) : rangeNames) {
    const { hours, bucketHours } = overviewRanges[range];
    const width = bucketHours * 3_600_000;
    const last = Math.floor(now / width) * width;
    const begin = last - hours * 3_600_000 + width;
    const starts = Array.from({ length: hours / bucketHours }, (_, n) => begin + n * width);
    const overview = await getOverview(sender.project.ctx, { range });
    const of = (from: number, before: number) => figuresOf(sender.mails, { from, before });
    expect(overview.totals).toEqual({ ...of(begin, Infinity), failed: 0 });
    expect(overview.before.totals).toEqual({ ...of(begin - hours * 3_600_000, begin), failed: 0 });
    expect(overview.buckets).toEqual(
      starts.map((at) => {
        const { sent, delivered, bounced } = of(at, at + width);
        const underWay = Math.max(0, sent - delivered - bounced);
        return { at: iso(at).replace(".000", ""), delivered, underWay, problems: bounced };
      }),
    );
  }
}

async function checkUsage({ sender }: Party, now: number) {
  const months = Array.from({ length: 12 }, (_, n) => monthOf(monthStart(now, -n)));
  const accepted = (month: string) =>
    sender.mails.filter(({ acceptedAt }) => monthOf(acceptedAt) === month).length;
  expect((await getUsage(sender.project.ctx)).months).toEqual(
    months.map((month) => ({ month, emails: accepted(month) })),
  );
}

/** The hours in which something happened to them for the first time. */
function byHour(mails: readonly LedgerMail[]) {
  const hours = new Set(mails.flatMap(({ happened }) => happened.map(({ at }) => hourOf(at))));
  return [...hours].toSorted().map((hour) => {
    const from = Date.parse(hour);
    const { sent, delivered, opened, clicked } = figuresOf(mails, {
      from,
      before: from + 3_600_000,
    });
    return { hour, sent, delivered, opened, clicked };
  });
}

async function checkCampaigns({ sender }: Party) {
  const { ctx } = sender.project;
  for (const { id, hasStarted } of sender.campaigns) {
    const mails = sender.mails.filter(({ campaign }) => campaign === id);
    const clicks = mails.flatMap(({ happened }) => happened.flatMap(({ url }) => url ?? []));
    const { stats, status } = await getCampaign(ctx, id);
    expect(status).toBe(hasStarted ? "SENT" : "SCHEDULED");
    expect(stats).toMatchObject({
      ...{ recipients: mails.length, pending: 0, failed: 0, machineOpens: 0, machineClicks: 0 },
      ...figuresOf(mails),
      ...{ unsubscribed: countFirst(mails, "unsubscribed", always), deliveryConfirmed: hasStarted },
    });
    expect(Object.fromEntries(stats.links.map((link) => [link.url, link.clicks]))).toMatchObject(
      Object.fromEntries(clicks.map((url) => [url, clicks.filter((one) => one === url).length])),
    );
    const isBusy = (row: ReturnType<typeof byHour>[number]) =>
      row.sent + row.delivered + row.opened + row.clicked > 0;
    const { data } = await getCampaignActivity(ctx, id);
    expect(data.filter(isBusy)).toEqual(byHour(mails).filter(isBusy));
  }
}

async function checkList({ sender }: Party) {
  const mails = sender.mails.filter(({ campaign }) => campaign !== null);
  const { delivered, opened, clicked } = figuresOf(mails);
  const { figures } = await getMailingList(sender.project.ctx, sender.listId);
  expect(figures).toMatchObject({ delivered, opened, clicked });
  const { days, campaigns } = await getDepartures(sender.project.ctx, {});
  // Who complains leaves everything.
  const complaints = sender.mails.flatMap((mail) => firstTime(mail, "complained") ?? []);
  const left = sender.departures.map(({ at }) => at);
  const on = (times: number[], date: string) => times.filter((at) => dayOf(at) === date).length;
  expect(days).toEqual(
    [...new Set([...complaints, ...left].map(dayOf))].toSorted().map((date) => ({
      ...{ day: date, everything: on(complaints, date), list: on(left, date), topic: 0 },
    })),
  );
  expect(campaigns.reduce((sum, { people }) => sum + people, 0)).toBe(sender.departures.length);
}

/** What the emails' events are called for those who are told, as often as they happened. */
const toldOf = ({ mails }: Sender) =>
  mails
    .flatMap(({ id, happened }) =>
      happened
        .filter(({ name }) => types.some((type) => type === `email.${name}`))
        .map(({ name }) => `email.${name} ${encodeId("email", id)}`),
    )
    .toSorted();

async function follow({ sender, stream }: Party) {
  let hasMore = true;
  while (hasMore) {
    const page = await listEvents(sender.project.ctx, {
      ...{ after: stream.cursor, types: types.join(","), limit: 100 },
    });
    stream.seen.push(...page.data.map(({ type, data }) => `${type} ${String(data["emailId"])}`));
    stream.cursor = page.nextCursor;
    hasMore = page.hasMore;
  }
}

async function checkTold(party: Party, cleanedAt: number) {
  const { sender, endpoint, stream, webhookId, kept: days } = party;
  const calls = new Map(
    endpoint.calls.map(({ headers, payload: { type, data } }): [string, string] => [
      String(headers["webhook-id"]),
      `${type} ${String(data["emailId"])}`,
    ]),
  );
  expect([...calls.values()].toSorted()).toEqual(toldOf(sender));
  // Other test files' transactions hold the end of the stream up.
  await until(async () => {
    await follow(party);
    return stream.seen.length >= toldOf(sender).length;
  });
  expect(stream.seen.toSorted()).toEqual(toldOf(sender));
  const deliveries = await pages((cursor) =>
    listDeliveries(sender.project.ctx, webhookId, {
      ...{ limit: 30, ...(cursor === undefined ? {} : { cursor }) },
    }),
  );
  const recent = sender.mails
    .flatMap(({ happened }) => happened)
    .filter(({ name }) => told.some((one) => one === name))
    .filter(({ at }) => at >= cleanedAt - days.webhookDeliveries * day);
  expect(deliveries).toHaveLength(recent.length);
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(["DELIVERED"]));
}

async function work() {
  const context = { db: database.db, signal: AbortSignal.timeout(60_000) };
  const { cleanup } = await runJob("tick", context);
  await runJob("webhooks", context);
  return cleanup !== null;
}

async function checkEverything(parties: readonly Party[], now: number, cleanedAt: number) {
  await checkPartitions(parties, now, cleanedAt);
  for (const party of parties) {
    await checkCampaigns(party);
    await checkLog(party, now, cleanedAt);
    await checkTimeline(party, cleanedAt);
    await checkLastEvents(party, cleanedAt);
    await checkList(party);
    await checkTold(party, cleanedAt);
  }
}

it("through a year of days and borders of months, pages and figures say what was done, and what is old goes", async () => {
  const beginning = beginningOfYear(Date.now());
  await travelTo(database, sql`${iso(beginning)}::timestamptz`);
  await work();
  const parties = [await makeParty(kept, 7), await makeParty(null, 8)];
  let cleanedAt = beginning;
  const step = async ({ at, kind }: Moment) => {
    await travelTo(database, sql`${iso(at)}::timestamptz`);
    await checkPartitions(parties, at, cleanedAt);
    for (const { sender } of parties) await sender.act({ at, kind });
    refuses = kind === "eve";
    if (await work()) cleanedAt = at;
    for (const { sender } of parties) {
      await sender.settle(at);
      await sender.react(at, cleanedAt);
    }
    for (const party of parties) {
      await follow(party);
      await checkOverview(party, { at, kind });
      await checkUsage(party, at);
    }
  };
  const moments = momentsOfYear(beginning);
  for (const [n, moment] of moments.entries()) {
    await step(moment);
    const isQuarter = new Date(moment.at).getUTCMonth() % 3 === 2;
    if (n === moments.length - 1 || (moment.kind === "after" && isQuarter)) {
      await work();
      await checkEverything(parties, moment.at, cleanedAt);
    }
  }
  // Once nobody keeps them, old months go with their tables, and figures stay.
  const end = moments.at(-1)?.at ?? 0;
  const [, forGood] = parties;
  if (!forGood) throw new Error("There is no second project.");
  expect(await partitions()).toContainEqual(
    expect.objectContaining({
      month: monthOf(beginning),
      project: forGood.sender.project.projectId,
    }),
  );
  await updateProjectSettings(forGood.sender.project.ctx, { retention: { events: kept.events } });
  forGood.kept.events = kept.events;
  await travelTo(database, sql`${iso(end + 2 * day)}::timestamptz`);
  expect(await work()).toBe(true);
  for (const { sender } of parties) await sender.settle(end + 2 * day);
  await checkEverything(parties, end + 2 * day, end + 2 * day);
  const left = new Set((await partitions()).map(({ month }) => month));
  const months = [-1, 0, 1, 2].map((n) => monthOf(monthStart(end, n)));
  expect([...left]).toEqual([...months, "email_events_default"]);
  const failed = await database.db
    .select()
    .from(jobRuns)
    .where(sql`not ${jobRuns.ok}`);
  expect(failed).toEqual([]);
}, 300_000);
