import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import type { ClaimedEmail } from "./claim";
import { notedRefusals, refusalJoins, refusalOf, refusedColumns } from "./refusals";

function ids(emails: readonly ClaimedEmail[]) {
  return sql`unnest(${sql.param(emails.map((email) => email.id))}::uuid[],
    ${sql.param(emails.map((email) => email.leaseId))}::uuid[]) as held(id, lease_id)`;
}

/** Moves the end of leases on; resolves to the uuids still ours. */
export async function renewLeases(
  db: Database,
  emails: readonly ClaimedEmail[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`update emails set due_at = app_now() + make_interval(secs => ${leaseSeconds})
      from ${ids(emails)}
      where emails.id = held.id and emails.lease_id = held.lease_id
      returning emails.id`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Gives back what was not started: due at once, and the try does not count. */
export async function releaseEmails(db: Database, emails: readonly ClaimedEmail[]): Promise<void> {
  if (emails.length === 0) return;
  await executePrepared(
    db,
    sql`update emails set due_at = app_now(), lease_id = null, attempts = attempts - 1
      from ${ids(emails)}
      where emails.id = held.id and emails.lease_id = held.lease_id`,
  );
}

/**
 * Looks again at campaign mail that was claimed a while ago, just before it leaves. What its person may
 * not get any more ends FAILED, what its campaign may not send (paused, cancelled) is given back.
 * Resolves to the uuids that may go.
 */
export async function recheckClaims(
  db: Database,
  emails: readonly ClaimedEmail[],
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`
    with mine as materialized (
      select emails.id, emails.project_id, emails.campaign_id, emails.contact_id, emails.recipient,
        emails.source, emails.status, emails.sent_at, emails.lease_id, campaigns.list_id,
        campaigns.status not in ('SENDING', 'SENT') as stopped
      from ${ids(emails)}
      join emails on emails.id = held.id and emails.lease_id = held.lease_id
      join campaigns on campaigns.id = emails.campaign_id
    ), checked as materialized (
      select mine.*, ${refusalOf("mine")} as refusal from mine ${refusalJoins("mine")}
    ), withheld as (
      update emails set ${refusedColumns},
        due_at = case when refusal is null then app_now() end,
        lease_id = null, attempts = attempts - 1
      from checked
      where emails.id = checked.id and emails.lease_id = checked.lease_id
        and (refusal is not null or stopped)
      returning emails.id, emails.project_id, emails.campaign_id, checked.refusal,
        checked.sent_at as was_sent_at
    ), ${notedRefusals("withheld")}
    select id from checked where refusal is null and not stopped`,
  );
  return new Set(rows.map((row) => row.id));
}
