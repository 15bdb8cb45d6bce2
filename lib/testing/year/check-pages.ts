import { expect } from "vitest";
import { listTimeline } from "@/lib/domain/contact-story/timeline";
import { listEmailDetails } from "@/lib/domain/emails/log-details";
import type { LogQuery } from "@/lib/domain/emails/log-schema";
import { listEmailRecords } from "@/lib/domain/emails/read";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { encodeId } from "@/lib/ground/ids/ids";
import type { Page } from "@/lib/ground/paging/schema";
import type { TestEndpoint } from "@/lib/testing/webhooks";
import { day, monthStart } from "./days";
import { firstTime, statusOf, timesOf, type LedgerMail } from "./ledger";
import { readers, type Sender } from "./sender";

/** A project of the year. */
export interface Party {
  sender: Sender;
  /** Days. */
  kept: { emails: number; events: number; webhookDeliveries: number };
  endpoint: TestEndpoint;
  webhookId: string;
  stream: { cursor: string; seen: string[] };
}

/** All pages, one after the other. */
export async function pages<Item>(read: (cursor?: string) => Promise<Page<Item>>): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

export const iso = (at: number) => new Date(at).toISOString();
export const dayOf = (at: number) => iso(at).slice(0, 10);

/** Whether an event is gone: they go by whole months, and with their email. */
export const isGone = ({ kept: { events } }: Party, at: number, cleanedAt: number) =>
  monthStart(at, 1) <= cleanedAt - events * day;

const shown = ({ id, status, opens, clicks, events }: EmailRecord) => ({
  ...{ id, status, opens, clicks, events: events.map(({ name }) => name) },
});

/** An email as the log has it after a clean-up. */
function expectedOf(party: Party, mail: LedgerMail, cleanedAt: number): ReturnType<typeof shown> {
  const left = mail.happened.filter(({ at }) => !isGone(party, at, cleanedAt));
  return {
    ...{ id: encodeId("email", mail.id), status: statusOf(mail) },
    ...{ opens: timesOf(mail, "opened"), clicks: timesOf(mail, "clicked") },
    events: ["queued", ...left.map(({ name }) => name)],
  };
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

export async function checkLog(party: Party, now: number, cleanedAt: number) {
  const { sender } = party;
  const { ctx } = sender.project;
  const mails = sender.mails.filter((mail) => sender.isKept(mail, cleanedAt));
  const check = async (
    query: Partial<LogQuery>,
    holds: (mail: LedgerMail) => boolean,
    limit: number,
  ) => {
    const found = await pages((cursor) =>
      listEmailRecords(ctx, { ...query, limit, ...(cursor === undefined ? {} : { cursor }) }),
    );
    const times = found.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const expected = mails.filter(holds).map((mail) => expectedOf(party, mail, cleanedAt));
    expect(found.map(shown).toSorted(byId)).toEqual(expected.toSorted(byId));
  };
  await check({}, () => true, 17);
  await check({ event: "opened" }, (mail) => firstTime(mail, "opened") !== null, 5);
  await check({ status: "BOUNCED" }, (mail) => statusOf(mail) === "BOUNCED", 4);
  await check({ search: readers[0] }, ({ to }) => to === readers[0], 6);
  for (let back = 0; back < 4; back++) {
    const [begin, end] = [monthStart(now, -back), monthStart(now, 1 - back)];
    const whole = { startDate: dayOf(begin), endDate: dayOf(end - day) };
    const isOfMonth = ({ acceptedAt }: LedgerMail) => acceptedAt >= begin && acceptedAt < end;
    await check(whole, isOfMonth, 3);
    await check(
      { ...whole, source: "CAMPAIGN" },
      (mail) => mail.campaign !== null && isOfMonth(mail),
      4,
    );
    // From the last hours of one month to the first ones of the next.
    const border = { startDate: iso(begin - 3 * 3_600_000), endDate: iso(begin + 300_000) };
    await check(
      border,
      ({ acceptedAt: at }) => at >= begin - 3 * 3_600_000 && at <= begin + 300_000,
      2,
    );
  }
}

/** The newest thing that is known of each email of the last page. */
export async function checkLastEvents({ sender }: Party, cleanedAt: number) {
  const mails = sender.mails.filter((mail) => sender.isKept(mail, cleanedAt)).slice(0, 100);
  const ids = mails.map(({ id }) => encodeId("email", id));
  const details = await listEmailDetails(sender.project.ctx, ids);
  const lastOf = new Map(
    details.map(({ id, lastEventAt }) => [id, dayOf(Date.parse(lastEventAt))]),
  );
  const names = new Set<string>();
  const firstOnes = ({ happened, acceptedAt }: LedgerMail) => [
    acceptedAt,
    ...happened
      .filter(({ name }, n) => happened.findIndex((one) => one.name === name) === n)
      .map(({ at }) => at),
  ];
  for (const mail of mails) {
    const shownLast = lastOf.get(encodeId("email", mail.id)) ?? "";
    names.add(shownLast);
    expect(shownLast >= dayOf(Math.max(...firstOnes(mail)))).toBe(true);
  }
  expect(names.size).toBeGreaterThan(5);
}

export async function checkTimeline({ sender }: Party, cleanedAt: number) {
  for (const reader of readers) {
    const mails = sender.mails.filter(
      (mail) => mail.to === reader && sender.isKept(mail, cleanedAt),
    );
    const entries = await pages((cursor) =>
      listTimeline(sender.project.ctx, reader, {
        ...{ limit: 7, kinds: "emails,engagement", ...(cursor === undefined ? {} : { cursor }) },
      }),
    );
    const ofMail = (mail: LedgerMail) => {
      const entry = (type: string, at: number | null, times: number, url = "") =>
        at === null ? [] : [[dayOf(at), type, encodeId("email", mail.id), times, url].join(" ")];
      const clicks = mail.happened.flatMap(({ url }) => url ?? []);
      return [
        ...entry("email", mail.acceptedAt, 0),
        ...entry("opened", firstTime(mail, "opened"), timesOf(mail, "opened")),
        ...[...new Set(clicks)].flatMap((url) => {
          const times = clicks.filter((one) => one === url).length;
          return entry(
            "clicked",
            mail.happened.find((one) => one.url === url)?.at ?? null,
            times,
            url,
          );
        }),
      ];
    };
    const found = entries.map(({ type, at, email, times, url }) =>
      [dayOf(Date.parse(at)), type, email?.id, times ?? 0, url ?? ""].join(" "),
    );
    expect(found.toSorted()).toEqual(mails.flatMap(ofMail).toSorted());
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  }
}
