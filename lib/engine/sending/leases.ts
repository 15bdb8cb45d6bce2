import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { assignments } from "@/db/names";
import { campaigns, emailQueue, emails, senderPauses, sendingConnections } from "@/db/schema";
import { newPlace, queuedIn } from "@/lib/ground/queue/email-queue";
import { putBack } from "@/lib/ground/queue/project-pace";
import type { ClaimedEmail } from "./claim";
import { notedRefusals, refusalJoins, refusalOf, refusedColumns } from "./refusals";

function ids(claimed: readonly ClaimedEmail[]) {
  return sql`unnest(${sql.param(claimed.map((email) => email.id))}::uuid[],
    ${sql.param(claimed.map((email) => email.leaseId))}::uuid[]) as held(id, lease_id)`;
}

const stillHeld = sql`${emailQueue.emailId} = held.id and ${emailQueue.leaseId} = held.lease_id`;
const amongThem = (claimed: readonly ClaimedEmail[]) =>
  sql`${emailQueue.emailId} = any(${sql.param(claimed.map(({ id }) => id))}::uuid[])`;
/** Due at once, behind everything that is waiting, and the attempt does not count. */
const givenBack = {
  leaseId: sql`null`,
  leaseUntil: sql`null`,
  attempts: sql`${emailQueue.attempts} - 1`,
  // Nobody has it yet: it is dated when it is tried.
  begunAt: sql`case when ${emailQueue.attempts} > 1 then ${emailQueue.begunAt} end`,
  place: newPlace,
};

/** For its project's pace. */
const returned = sql`returning ${emailQueue.projectId}, ${emailQueue.campaignId}`;

/**
 * Extends leases; resolves to the uuids that are still ours. They go behind waiting mail: otherwise mail that has
 * been under way for long would be the first of its lane, and everything that left after it would have to be walked
 * past.
 */
export async function renewLeases(
  db: Database,
  claimed: readonly ClaimedEmail[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`update ${emailQueue} set ${assignments(emailQueue, {
      leaseUntil: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
      place: newPlace,
    })} from ${ids(claimed)} where ${amongThem(claimed)} and ${stillHeld} returning ${emailQueue.emailId} as id`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Gives back mail that was not started: due at once, and the attempt does not count. */
export async function releaseEmails(db: Database, claimed: readonly ClaimedEmail[]): Promise<void> {
  if (claimed.length === 0) return;
  await executePrepared(
    db,
    sql`with given_back as (
        update ${emailQueue} set ${assignments(emailQueue, givenBack)}
        from ${ids(claimed)} where ${amongThem(claimed)} and ${stillHeld} ${returned}
      ), ${putBack("given_back")} select from given_back limit 0`,
  );
}

/** An email that has to wait for its turn. */
export interface Postponed {
  email: ClaimedEmail;
  seconds: number;
}

/** Gives back mail that has to wait for its turn: due after its seconds, and the attempt does not count. */
export async function postponeEmails(db: Database, postponed: readonly Postponed[]): Promise<void> {
  const column = <Value>(read: (one: Postponed) => Value) => sql.param(postponed.map(read));
  const later = {
    dueAt: sql`app_now() + make_interval(secs => held.seconds)`,
    asleep: sql`true`,
  };
  await executePrepared(
    db,
    sql`with given_back as (
        update ${emailQueue} set ${assignments(emailQueue, { ...givenBack, ...later })}
        from unnest(${column(({ email }) => email.id)}::uuid[],
          ${column(({ email }) => email.leaseId)}::uuid[],
          ${column(({ seconds }) => seconds)}::float8[]) as held(id, lease_id, seconds)
        where ${amongThem(postponed.map(({ email }) => email))} and ${stillHeld} ${returned}
      ), ${putBack("given_back")} select from given_back limit 0`,
  );
}

/** An email whose sender is paused. */
export interface HeldBack {
  email: ClaimedEmail;
  /** uuid of the sender's domain. */
  domainId: string;
}

/** An email whose sending connection is held. */
export interface HeldUp {
  email: ClaimedEmail;
  /** uuid */
  connectionId: string;
}

/**
 * Gives back mail until its sender's pause ends, or at once if it has ended; the attempt does not count. The email that
 * is to find out whether the pause can end, given back by a worker that has not heard of it, is due in a moment.
 */
export async function parkEmails(db: Database, parked: readonly HeldBack[]): Promise<void> {
  const pausedAmong = (ids: SQL) => sql`
    select ${senderPauses.domainId} as cause, ${senderPauses.probeEmailId} as tried from ${senderPauses}
    where ${senderPauses.domainId} = any(${ids}::uuid[])
    order by ${senderPauses.domainId} for share`;
  await parkFor(
    db,
    parked.map(({ email, domainId }) => ({ email, cause: domainId })),
    pausedAmong,
  );
}

/** The same for mail that waits until its connection is no longer held. */
export async function parkHeldUp(db: Database, parked: readonly HeldUp[]): Promise<void> {
  const heldAmong = (ids: SQL) => sql`
    select ${sendingConnections.id} as cause, null::uuid as tried from ${sendingConnections}
    where ${sendingConnections.id} = any(${ids}::uuid[]) and ${sendingConnections.heldSince} is not null
    order by ${sendingConnections.id} for share`;
  await parkFor(
    db,
    parked.map(({ email, connectionId }) => ({ email, cause: connectionId })),
    heldAmong,
  );
}

/** `causesAmong`: the ids of those given causes that still keep mail waiting, all but the email `tried`; locked. */
async function parkFor(
  db: Database,
  parked: readonly { email: ClaimedEmail; cause: string }[],
  causesAmong: (ids: SQL) => SQL,
): Promise<void> {
  const column = <Value>(read: (one: (typeof parked)[number]) => Value) =>
    sql.param(parked.map(read));
  const causes = sql`${column(({ cause }) => cause)}`;
  await executePrepared(
    db,
    sql`with paused as materialized (${causesAmong(causes)}
      ), held as materialized (
        select given.id, given.lease_id, case when paused.cause is null then 'now'
          when paused.tried = given.id then 'soon' else 'later' end as due
        from unnest(${column(({ email }) => email.id)}::uuid[],
          ${column(({ email }) => email.leaseId)}::uuid[], ${causes}::uuid[])
          as given(id, lease_id, cause)
        left join paused using (cause)
      )
      update ${emailQueue} set ${assignments(emailQueue, {
        ...givenBack,
        dueAt: sql`case held.due when 'later' then 'infinity' when 'soon' then app_now() + interval '1 second'
          else app_now() end`,
        asleep: sql`held.due <> 'now'`,
      })}
      from held where ${amongThem(parked.map(({ email }) => email))} and ${stillHeld}`,
  );
}

const wokenAtOnce = 2_000;

/** Makes mail whose time has come claimable: scheduled mail and retries. Resolves to whether there is more. */
export async function wakeSleepers(db: Database): Promise<boolean> {
  const [row] = await executePrepared<{ woken: number }>(
    db,
    sql`
    with due as (
      select ${emailQueue.emailId} from ${emailQueue}
      where ${emailQueue.asleep} and ${emailQueue.dueAt} <= app_now()
      order by ${emailQueue.dueAt} limit ${wokenAtOnce}
      for update skip locked
    ), woken as (
      update ${emailQueue} set ${assignments(emailQueue, { asleep: sql`false`, place: newPlace })}
      where ${queuedIn("due", "email_id")} returning 1
    ) select count(*)::int as woken from woken`,
  );
  return row?.woken === wokenAtOnce;
}

/**
 * Checks mail that was claimed a while ago again, just before it leaves. Mail that its person may no longer get, or whose
 * deadline has passed, ends as FAILED; mail that its campaign may not send (paused, cancelled) is given back. Resolves to
 * the uuids that may go.
 */
export async function recheckClaims(
  db: Database,
  claimed: readonly ClaimedEmail[],
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`
    with mine as materialized (
      select ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.contactId},
        ${emails.recipient}, ${emails.source}, ${emails.status}, ${emails.sentAt}, held.lease_id,
        ${campaigns.listId}, coalesce(${emailQueue.sendBefore}, ${campaigns.sendBefore}) <= app_now() as late,
        coalesce(${campaigns.status} not in ('SENDING', 'SENT'), ${emails.campaignId} is not null) as stopped
      from ${ids(claimed)} join ${emailQueue} on ${amongThem(claimed)} and ${stillHeld}
      join ${emails} on ${emails.id} = held.id
      left join ${campaigns} on ${campaigns.id} = ${emails.campaignId}
    ), checked as materialized (
      select mine.*, ${refusalOf("mine")} as refusal from mine ${refusalJoins("mine")}
    ), given_back as (
      update ${emailQueue} set ${assignments(emailQueue, givenBack)} from checked as held
      where ${amongThem(claimed)} and ${stillHeld} and refusal is null and stopped ${returned}
    ), ${putBack("given_back")}, gone as (
      delete from ${emailQueue} using checked as held
      where ${amongThem(claimed)} and ${stillHeld} and refusal is not null
      returning held.id, ${emailQueue.attempts}
    ), withheld as (
      update ${emails} set ${assignments(emails, { ...refusedColumns, attempts: sql`gone.attempts - 1` })}
      from gone join checked using (id) where ${emails.id} = gone.id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, checked.refusal,
        checked.sent_at as was_sent_at
    ), ${notedRefusals("withheld")}
    select id from checked where refusal is null and not stopped`,
  );
  return new Set(rows.map((row) => row.id));
}
