import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Transaction } from "@/db/client";
import type { EmailStatus } from "@/db/enums";
import { contacts, emailEvents, emailQueue, emails, projects } from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import { statusAfter } from "@/lib/domain/emails/status";
import { causesOfSender, type LockedEmail, type Noted } from "./effect";
import { ownedBy } from "@/lib/ground/by-id";

/** An email to be locked, and the status that is reported for it. */
export interface ReportedEmail {
  /** uuid */
  emailId: string;
  projectId: string;
  target: EmailStatus;
}

/** `busy`: what others hold is waited for, or left out of the answer. */
export type Busy = "wait" | "leave";

const orLeave = (busy: Busy): SQL => (busy === "leave" ? sql.raw("skip locked") : sql``);

/** Locks emails, each named once, so that what their events say stays true until the commit. */
export async function lockEmails(
  tx: Transaction,
  reported: readonly ReportedEmail[],
  busy: Busy,
): Promise<LockedEmail[]> {
  // Whoever records a result takes the queue's row first, then the email's.
  const queued = await executePrepared<{ id: string; locked: boolean }>(
    tx,
    sql`
    with waiting as materialized (
      select ${emailQueue.emailId} from ${emailQueue}
      where ${emailQueue.emailId} = any(${sql.param(reported.map(({ emailId }) => emailId))}::uuid[])
    ), held as materialized (
      select ${emailQueue.emailId} from ${emailQueue}
      where ${emailQueue.emailId} in (select email_id from waiting)
      order by ${emailQueue.emailId} for update ${orLeave(busy)}
    )
    select waiting.email_id as id, held.email_id is not null as locked
    from waiting left join held on held.email_id = waiting.email_id`,
  );
  const left = new Set(queued.filter(({ locked }) => !locked).map(({ id }) => id));
  const free = busy === "leave" ? reported.filter(({ emailId }) => !left.has(emailId)) : reported;
  if (free.length === 0) return [];
  return executePrepared<LockedEmail>(
    tx,
    sql`
    select ${emails.id}, ${emails.projectId}, ${personOf(emails.contactId)} as contact_id, ${emails.recipient}, ${emails.status},
      ${sql.raw(statusAfter("emails.status", "reported.target"))} as next_status,
      ${emails.sentAt} is not null as was_sent, ${emails.deliveredAt} is not null as was_delivered,
      coalesce(${emails.deliveredAt} < ${projects.eventsGoneBefore}, false) as forgot_delivery,
      coalesce(${emails.bouncedAt} < ${projects.eventsGoneBefore}, false) as forgot_bounce
    from unnest(
      ${sql.param(free.map(({ emailId }) => emailId))}::uuid[],
      ${sql.param(free.map(({ projectId }) => projectId))}::uuid[],
      ${sql.param(free.map(({ target }) => target))}::text[]
    ) as reported(id, project_id, target)
      join ${emails} on ${emails.id} = reported.id and ${ownedBy(emails.projectId, sql`reported.project_id`)}
      join ${projects} on ${projects.id} = ${emails.projectId}
    order by ${emails.id} for update of ${emails} ${orLeave(busy)}`,
  );
}

/** Locks people, so that bounces and complaints about their mail take turns; resolves to those that are locked. */
export async function lockContacts(
  tx: Transaction,
  ids: readonly string[],
  busy: Busy,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await executePrepared<{ id: string }>(
    tx,
    sql`
    select ${contacts.id} from ${contacts} where ${contacts.id} = any(${sql.param(ids)}::uuid[])
    order by ${contacts.id} for update ${orLeave(busy)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * What is recorded of emails (uuids), and of `contactId`'s other mail to `address`. In a statement after those that
 * lock, which see only what was there before them.
 */
export async function readNoted(
  tx: Transaction,
  reported: readonly { id: string; contactId: string | null; address: string | null }[],
): Promise<Map<string, Noted>> {
  if (reported.length === 0) return new Map();
  const rows = await executePrepared<Noted & { id: string } & Record<string, unknown>>(
    tx,
    sql`
    select reported.id, coalesce(noted.delayed, false) as delayed,
      coalesce(noted.delivered, false) as delivered, coalesce(noted.bounced, false) as bounced,
      coalesce(noted.bounced_hard, false) as bounced_hard,
      case when reported.contact_id is null then 0 else (
        select count(distinct ${emails.id})::int
        from ${emails} join ${emailEvents} on ${emailEvents.emailId} = ${emails.id}
          and ${emailEvents.name} = 'bounced'
          and coalesce(${emailEvents.data} ->> 'cause', '') <> all(${sql.param(causesOfSender)}::text[])
          and not ${emailEvents.data} ? 'unproven'
        where ${emails.contactId} = reported.contact_id and ${emails.id} <> reported.id
          and lower(${emails.recipient}) = lower(reported.address)
          and ${emailEvents.createdAt} > coalesce(
            (select max(${emails.deliveredAt}) from ${emails}
              where ${emails.contactId} = reported.contact_id
                and lower(${emails.recipient}) = lower(reported.address)),
            '-infinity')) end as refused
    from unnest(
      ${sql.param(reported.map(({ id }) => id))}::uuid[],
      ${sql.param(reported.map(({ contactId }) => contactId))}::uuid[],
      ${sql.param(reported.map(({ address }) => address))}::text[]
    ) as reported(id, contact_id, address)
    cross join lateral (
      select bool_or(event.name = 'deferred' and event.data ->> 'via' is not null) as delayed,
        bool_or(event.name = 'delivered') as delivered, bool_or(event.name = 'bounced') as bounced,
        bool_or(event.name = 'bounced' and event.data ->> 'type' = 'hard') as bounced_hard
      from (
        select ${emailEvents.name}, ${emailEvents.data} from ${emailEvents}
        where ${emailEvents.emailId} = reported.id
      ) event
    ) noted`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Those of the emails that there are. */
export async function findExisting(
  tx: Transaction,
  reported: readonly Pick<ReportedEmail, "emailId" | "projectId">[],
): Promise<Set<string>> {
  if (reported.length === 0) return new Set();
  const rows = await executePrepared<{ id: string }>(
    tx,
    sql`
    select ${emails.id}
    from unnest(
      ${sql.param(reported.map(({ emailId }) => emailId))}::uuid[],
      ${sql.param(reported.map(({ projectId }) => projectId))}::uuid[]
    ) as reported(id, project_id)
      join ${emails} on ${emails.id} = reported.id and ${ownedBy(emails.projectId, sql`reported.project_id`)}`,
  );
  return new Set(rows.map(({ id }) => id));
}
