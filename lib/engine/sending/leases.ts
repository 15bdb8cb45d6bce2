import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { assignments } from "@/db/names";
import { campaigns, emails } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { ClaimedEmail } from "./claim";
import { notedRefusals, refusalJoins, refusalOf, refusedColumns } from "./refusals";

function ids(claimed: readonly ClaimedEmail[]) {
  return sql`unnest(${sql.param(claimed.map((email) => email.id))}::uuid[],
    ${sql.param(claimed.map((email) => email.leaseId))}::uuid[]) as held(id, lease_id)`;
}

const stillHeld = sql`${emails.id} = held.id and ${emails.leaseId} = held.lease_id`;
/** Due at once, and the attempt does not count. */
const givenBack = {
  dueAt: now,
  leaseId: sql`null`,
  attempts: sql`${emails.attempts} - 1`,
};

/** Extends leases; resolves to the uuids that are still ours. */
export async function renewLeases(
  db: Database,
  claimed: readonly ClaimedEmail[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`update ${emails} set ${assignments(emails, {
      dueAt: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
    })} from ${ids(claimed)} where ${stillHeld} returning ${emails.id}`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Gives back what was not started: due at once, and the attempt does not count. */
export async function releaseEmails(db: Database, claimed: readonly ClaimedEmail[]): Promise<void> {
  if (claimed.length === 0) return;
  await executePrepared(
    db,
    sql`update ${emails} set ${assignments(emails, givenBack)}
      from ${ids(claimed)} where ${stillHeld}`,
  );
}

/** An email that has to wait for its turn. */
export interface Postponed {
  email: ClaimedEmail;
  seconds: number;
}

/** Gives back what has to wait for its turn: due after its seconds, and the attempt does not count. */
export async function postponeEmails(db: Database, postponed: readonly Postponed[]): Promise<void> {
  const column = <Value>(read: (one: Postponed) => Value) => sql.param(postponed.map(read));
  const dueAt = sql`app_now() + make_interval(secs => held.seconds)`;
  await executePrepared(
    db,
    sql`update ${emails} set ${assignments(emails, { ...givenBack, dueAt })}
      from unnest(${column(({ email }) => email.id)}::uuid[],
        ${column(({ email }) => email.leaseId)}::uuid[],
        ${column(({ seconds }) => seconds)}::float8[]) as held(id, lease_id, seconds)
      where ${stillHeld}`,
  );
}

const wokenAtOnce = 2_000;

/**
 * Lets mail whose time has come be claimed: what was scheduled, and later tries. Resolves to whether
 * there is more.
 */
export async function wakeSleepers(db: Database): Promise<boolean> {
  const [row] = await executePrepared<{ woken: number }>(
    db,
    sql`
    with due as (
      select ${emails.id} from ${emails}
      where ${emails.dueAt} is not null and ${emails.asleep} and ${emails.dueAt} <= app_now()
      order by ${emails.dueAt} limit ${wokenAtOnce}
      for update skip locked
    ), woken as (
      update ${emails} set ${assignments(emails, { asleep: sql`false` })}
      from due where ${emails.id} = due.id returning 1
    ) select count(*)::int as woken from woken`,
  );
  return row?.woken === wokenAtOnce;
}

/**
 * Looks again at campaign mail that was claimed a while ago, just before it leaves. What its person may
 * not get any more ends FAILED, what its campaign may not send (paused, cancelled) is given back.
 * Resolves to the uuids that may go.
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
        ${emails.recipient}, ${emails.source}, ${emails.status}, ${emails.sentAt}, ${emails.leaseId},
        ${campaigns.listId}, ${campaigns.status} not in ('SENDING', 'SENT') as stopped
      from ${ids(claimed)} join ${emails} on ${stillHeld}
      join ${campaigns} on ${campaigns.id} = ${emails.campaignId}
    ), checked as materialized (
      select mine.*, ${refusalOf("mine")} as refusal from mine ${refusalJoins("mine")}
    ), withheld as (
      update ${emails} set ${assignments(emails, {
        ...refusedColumns,
        ...givenBack,
        dueAt: sql`case when refusal is null then app_now() end`,
      })}
      from checked
      where ${emails.id} = checked.id and ${emails.leaseId} = checked.lease_id
        and (refusal is not null or stopped)
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, checked.refusal,
        checked.sent_at as was_sent_at
    ), ${notedRefusals("withheld")}
    select id from checked where refusal is null and not stopped`,
  );
  return new Set(rows.map((row) => row.id));
}
