import type { Database, Transaction } from "@/db/client";
import { isDatabaseAway, retryConflicts } from "@/db/errors";
import { coalesceFor } from "@/lib/ground/coalesce";
import { notFound } from "@/lib/ground/errors";
import { announce } from "@/lib/ground/queue/announce";
import { foldAddress } from "@/lib/mail/address";
import {
  effectOf,
  targets,
  type DeliveryReport,
  type Effect,
  type LockedEmail,
  type Noted,
} from "./effect";
import { findExisting, lockContacts, lockEmails, readNoted, type Busy } from "./noted";
import { writeEffects } from "./write-effects";

/** A report on an email. */
export interface Reported {
  /** uuid */
  emailId: string;
  projectId: string;
  report: DeliveryReport;
  /** Stands in the event's data. */
  more: Record<string, unknown>;
}

/** Whether it said anything new, or why it was not recorded. */
type Outcome = boolean | Error;

const keyOf = (projectId: string, emailId: string) => `${projectId}/${emailId}`;

/** Whether what it does depends on the person's other mail, or changes the person. */
const concernsPerson = ({ kind }: DeliveryReport) => kind === "bounced" || kind === "complained";

/**
 * The first report on each email whose row is locked, but for those that an earlier one on the same person or address
 * may change: they are for the next round.
 */
function independent(
  firsts: Map<string, Reported>,
  locked: readonly LockedEmail[],
): Map<Reported, LockedEmail> {
  const rows = new Map(locked.map((row) => [keyOf(row.project_id, row.id), row]));
  const chosen = new Map<Reported, LockedEmail>();
  const [named, concerned] = [new Set<string>(), new Set<string>()];
  for (const [key, reported] of firsts) {
    const row = rows.get(key);
    if (!row) continue;
    const { kind } = reported.report;
    if (kind === "delayed" || kind === "failed") {
      chosen.set(reported, row);
      continue;
    }
    const people = [
      ...(row.contact_id === null ? [] : [row.contact_id]),
      ...(row.recipient === null ? [] : [keyOf(row.project_id, foldAddress(row.recipient))]),
    ];
    const concerns = concernsPerson(reported.report);
    const clashes = people.some((person) => (concerns ? named : concerned).has(person));
    if (!clashes) chosen.set(reported, row);
    for (const person of people) {
      named.add(person);
      if (concerns || clashes) concerned.add(person);
    }
  }
  return chosen;
}

const nothingNoted: Noted = {
  delayed: false,
  delivered: false,
  bounced: false,
  bounced_hard: false,
  refused: 0,
};

async function effectsOf(
  tx: Transaction,
  chosen: Map<Reported, LockedEmail>,
): Promise<Map<Reported, { email: LockedEmail; effect: Effect }>> {
  const noted = await readNoted(
    tx,
    [...chosen]
      .filter(([{ report }]) => report.kind !== "complained" && report.kind !== "failed")
      .map(([{ report }, email]) => ({
        id: email.id,
        contactId: report.kind === "bounced" && !report.hard ? email.contact_id : null,
        address: email.recipient,
      })),
  );
  const effects = new Map<Reported, { email: LockedEmail; effect: Effect }>();
  for (const [reported, email] of chosen) {
    const { report, more } = reported;
    const effect = effectOf(email, noted.get(email.id) ?? nothingNoted, report, more["cause"]);
    if (!effect) continue;
    const data = { ...effect.data, ...more };
    effects.set(reported, { email, effect: { ...effect, data } });
  }
  return effects;
}

/**
 * Records, in one transaction, as many of the reports as do not depend on each other, the first among them. With
 * `leave`, what others hold is passed over, so that it waits for nobody while it holds rows itself. The answer has
 * those that are done, and those that were passed over.
 */
async function recordRound(
  tx: Transaction,
  reports: readonly Reported[],
  busy: Busy,
): Promise<{ done: Map<Reported, Outcome>; passedOver: Reported[]; told: boolean }> {
  const firsts = new Map<string, Reported>();
  for (const reported of reports) {
    const key = keyOf(reported.projectId, reported.emailId);
    if (!firsts.has(key)) firsts.set(key, reported);
  }
  const rows = await lockEmails(
    tx,
    [...firsts.values()].map((one) => ({ ...one, target: targets[one.report.kind] })),
    busy,
  );
  const locked = new Set(rows.map((row) => keyOf(row.project_id, row.id)));
  const missing = [...firsts].filter(([key]) => !locked.has(key)).map(([, one]) => one);
  const existing = busy === "wait" ? new Set<string>() : await findExisting(tx, missing);
  const absent = missing.filter(({ emailId }) => !existing.has(emailId));
  const passedOver = missing.filter(({ emailId }) => existing.has(emailId));

  const chosen = independent(firsts, rows);
  const people = [...chosen].flatMap(([{ report }, { contact_id }]) =>
    contact_id !== null && concernsPerson(report) ? [contact_id] : [],
  );
  const free = await lockContacts(tx, people, busy);
  for (const [reported, { contact_id }] of chosen) {
    if (contact_id === null || free.has(contact_id) || !concernsPerson(reported.report)) continue;
    // Whom there is no row of, nobody holds.
    if (busy === "wait") continue;
    passedOver.push(reported);
    chosen.delete(reported);
  }
  const effects = await effectsOf(tx, chosen);
  const told = await writeEffects(tx, [...effects.values()]);
  const done = new Map<Reported, Outcome>();
  for (const reported of absent) done.set(reported, notFound());
  for (const reported of chosen.keys()) done.set(reported, effects.has(reported));
  return { done, passedOver, told };
}

async function commitRound(db: Database, reports: readonly Reported[], busy: Busy) {
  const round = await retryConflicts(() => db.transaction((tx) => recordRound(tx, reports, busy)));
  if (round.told) announce(db, "webhooks_due");
  return round;
}

/** Each in a transaction of its own, in their order. */
async function recordOneByOne(
  db: Database,
  reports: readonly Reported[],
): Promise<Map<Reported, Outcome>> {
  const done = new Map<Reported, Outcome>();
  for (const reported of reports) {
    const outcome = await commitRound(db, [reported], "wait").then(
      (round) => round.done.get(reported) ?? false,
      (error: unknown) => error as Error,
    );
    done.set(reported, outcome);
    // The others would wait for the same in vain.
    if (isDatabaseAway(outcome)) {
      for (const one of reports) if (!done.has(one)) done.set(one, outcome);
    }
  }
  return done;
}

/** One result for each, in their order; of those whose rows somebody holds, a promise. */
async function recordGroup(
  db: Database,
  reports: readonly Reported[],
): Promise<(Outcome | Promise<Outcome>)[]> {
  const done = new Map<Reported, Outcome>();
  const held = new Set<string>();
  for (let left = reports; left.length > 0;) {
    const round = await commitRound(db, left, "leave").catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      return null;
    });
    // One report's fault must not refuse its neighbours.
    if (!round) break;
    round.done.forEach((outcome, reported) => done.set(reported, outcome));
    for (const { projectId, emailId } of round.passedOver) held.add(keyOf(projectId, emailId));
    left = left.filter((one) => !done.has(one) && !held.has(keyOf(one.projectId, one.emailId)));
  }
  const rest = reports.filter((one) => !done.has(one));
  const later = recordOneByOne(db, rest);
  return reports.map((one) => done.get(one) ?? later.then((all) => all.get(one) ?? false));
}

const record = coalesceFor(recordGroup, {
  concurrency: 2,
  largestBatch: 128,
  weigh: ({ more }: Reported) => JSON.stringify(more).length,
  largestWeight: 1024 * 1024,
});

/**
 * Records a report together with others that arrive while the database is busy; resolves after the commit, to whether
 * it said anything new. Each ends as it would alone. Throws NOT_FOUND.
 */
export async function recordTogether(db: Database, reported: Reported): Promise<boolean> {
  const outcome = await record(db, reported);
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
