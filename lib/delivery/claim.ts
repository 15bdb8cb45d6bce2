import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { emailPriorities, type EmailSource } from "@/db/enums";
import { newId } from "@/lib/ids";
import type { ContactFields } from "@/lib/templates/liquid";

/** What it takes to make an email for one person. */
export interface AddressedEmail {
  /** uuid */
  id: string;
  projectId: string;
  messageId: string;
  campaignId: string | null;
  recipient: string;
  recipientName: string;
  source: EmailSource;
  createdAt: Date;
  contact: ContactFields | null;
}

/** An email this process may hand over, until its lease ends. */
export interface ClaimedEmail extends AddressedEmail {
  /** Results are recorded only while the row still carries it. */
  leaseId: string;
  /** This try included. */
  attempts: number;
}

interface ClaimedRow extends Record<string, unknown> {
  id: string;
  project_id: string;
  message_id: string;
  campaign_id: string | null;
  recipient: string;
  recipient_name: string | null;
  source: EmailSource;
  attempts: number;
  created_at: string;
  contact_email: string | null;
  first_name: string | null;
  last_name: string | null;
  tags: string[] | null;
  data: Record<string, unknown> | null;
}

/*
 * One statement: the projects with due mail of a priority are found by skipping from one to the next in
 * the index emails_due, each gets an equal share of the claim, and rows another worker holds are passed
 * over. Who was suppressed meanwhile, left (campaigns), or was deleted, ends FAILED here.
 */
async function claimPriority(
  db: Database,
  priority: number,
  limit: number,
  leaseSeconds: number,
): Promise<{ emails: ClaimedEmail[]; refused: number; more: boolean }> {
  const leaseId = newId();
  const rows = await executePrepared<ClaimedRow & { refusal: string | null; share: number }>(
    db,
    sql`
    with recursive lane as (
      (select project_id, due_at from emails
       where priority = ${priority} and due_at is not null and campaign_id is null
       order by project_id, due_at limit 1)
      union all
      select next.project_id, next.due_at
      from lane cross join lateral (
        select project_id, due_at from emails
        where priority = ${priority} and due_at is not null and campaign_id is null
          and project_id > lane.project_id
        order by project_id, due_at limit 1
      ) next
    ), ready as (
      select project_id, ceil(${limit}::numeric / count(*) over ())::int as share
      from lane where due_at <= app_now()
      order by random() limit ${limit}
    ), picked as materialized (
      select due.*, ready.share from ready cross join lateral (
        select id, project_id, contact_id, recipient, source from emails
        where priority = ${priority} and project_id = ready.project_id
          and due_at is not null and campaign_id is null and due_at <= app_now()
          and status = 'PENDING'
        order by due_at limit ready.share
        for update skip locked
      ) due limit ${limit}
    ), checked as materialized (
      select picked.id, picked.share, contacts.email as contact_email, contacts.first_name, contacts.last_name,
        contacts.tags, contacts.data,
        case
          when picked.recipient is null then 'deleted'
          when suppressions.reason is not null then suppressions.reason
          when picked.source = 'CAMPAIGN' and contacts.consent is distinct from 'subscribed'
            then 'unsubscribed'
        end as refusal
      from picked
      left join contacts on contacts.id = picked.contact_id
      left join suppressions on suppressions.project_id = picked.project_id
        and lower(suppressions.email) = lower(picked.recipient)
    ), claimed as (
      update emails set
        status = case when refusal is null then status else 'FAILED' end,
        due_at = case when refusal is null then app_now() + make_interval(secs => ${leaseSeconds}) end,
        lease_id = case when refusal is null then ${leaseId}::uuid end,
        attempts = attempts + case when refusal is null then 1 else 0 end
      from checked where emails.id = checked.id
      returning emails.id, emails.project_id, emails.message_id, emails.campaign_id, emails.recipient,
        emails.recipient_name, emails.source, emails.attempts, emails.created_at,
        checked.contact_email, checked.first_name, checked.last_name, checked.tags, checked.data,
        checked.refusal, checked.share
    ), noted as (
      insert into email_events (project_id, email_id, name, data)
      select project_id, id, 'suppressed', jsonb_build_object('reason', refusal)
      from claimed where refusal is not null
    )
    select * from claimed`,
  );
  const claimed = rows.filter((row) => row.refusal === null);
  return {
    emails: claimed.map((row) => toClaimed(row, leaseId)),
    refused: rows.length - claimed.length,
    more: shareUsedUp(rows),
  };
}

/** Whether some project got all of its share: it may have more that is due. */
function shareUsedUp(rows: readonly { project_id: string; share: number }[]): boolean {
  const counts = new Map<string, number>();
  return rows.some(({ project_id: project, share }) => {
    const count = (counts.get(project) ?? 0) + 1;
    counts.set(project, count);
    return count >= share;
  });
}

function toClaimed(row: ClaimedRow, leaseId: string): ClaimedEmail {
  return {
    id: row.id,
    projectId: row.project_id,
    messageId: row.message_id,
    campaignId: row.campaign_id,
    leaseId,
    recipient: row.recipient,
    recipientName: row.recipient_name ?? "",
    source: row.source,
    attempts: row.attempts,
    createdAt: new Date(row.created_at),
    contact:
      row.contact_email === null
        ? null
        : {
            email: row.contact_email,
            firstName: row.first_name ?? "",
            lastName: row.last_name ?? "",
            tags: row.tags ?? [],
            data: row.data ?? {},
          },
  };
}

/**
 * Claims up to `limit` due emails for `leaseSeconds`, transactional ones first, in turns over the
 * projects. `refused` counts those that ended FAILED instead.
 */
export async function claimEmails(
  db: Database,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<{ emails: ClaimedEmail[]; refused: number }> {
  const emails: ClaimedEmail[] = [];
  let refused = 0;
  for (const priority of [emailPriorities.transactional, emailPriorities.campaign]) {
    // What a project with little mail leaves of its share goes to the others of the same priority first.
    for (let more = true; more && emails.length < limit;) {
      const claimed = await claimPriority(db, priority, limit - emails.length, leaseSeconds);
      emails.push(...claimed.emails);
      refused += claimed.refused;
      more = claimed.more;
    }
  }
  return { emails, refused };
}

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
