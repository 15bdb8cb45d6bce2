import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { assignments, columns, excluded, fixed, insertSelected, newIdOf } from "@/db/names";
import { capturedEmails, emailEvents, emailQueue, emails } from "@/db/schema";
import { suppressedRecipients, wordsOf } from "@/lib/domain/delivery-reports/suppression";
import { firstTimesAfter, statusAfter } from "@/lib/domain/emails/status";
import { countWarmup } from "@/lib/domain/warm-up/figures";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries, madeDeliveries } from "@/lib/ground/events/emit";
import { newId } from "@/lib/ground/ids/ids";
import { queuedIn } from "@/lib/ground/queue/email-queue";
import { announce } from "@/lib/ground/queue/announce";
import { countAttempts } from "./count-attempts";
import type { DeliveryResult } from "./result";
import { suppressWornOut } from "./worn-out";

/** What was said, where it suppresses. */
function suppressedFor({ suppress, events }: DeliveryResult): string | null {
  const last = suppress && events.at(-1);
  return last ? wordsOf(last.data) : null;
}

/** `result`: the outcome of each attempt. */
function givenResults(results: readonly DeliveryResult[]): SQL {
  const r = <Value>(read: (result: DeliveryResult) => Value) => sql.param(results.map(read));
  return sql`result as materialized (
      select * from unnest(
        ${r(({ email }) => email.id)}::uuid[], ${r(({ email }) => email.leaseId)}::uuid[],
        ${r(({ status }) => status)}::text[], ${r((result) => result.retryAfterSeconds)}::float8[],
        ${r(({ subject }) => subject)}::text[], ${r(({ suppress }) => suppress)}::text[],
        ${r(suppressedFor)}::text[],
        ${r(({ email, captured }) => (captured ? newId(email.projectId) : null))}::uuid[],
        ${r(({ captured }) => captured?.envelope.from ?? null)}::text[],
        ${r(({ captured }) => captured?.envelope.to ?? null)}::text[],
        ${r(({ captured }) => captured?.raw.toString("base64") ?? null)}::text[],
        ${r(({ domainId }) => domainId)}::uuid[], ${r(({ providerId }) => providerId)}::text[]
      ) as given(id, lease_id, status, retry, subject, suppress, words, captured_id, envelope_from,
        envelope_to, raw, domain_id, provider_id)
    )`;
}

/** 1 the first time something happens: a time set before this transaction was not set by it. */
const justNow = (time: SQL) => sql`(${time} is not distinct from app_now())::int`;

const stillOurs = sql`${queuedIn("result", "id")} and ${emailQueue.emailId} = result.id and ${emailQueue.leaseId} = result.lease_id`;

/** `settled`: emails that were still ours and have ended, which is recorded only once. */
const settled = fixed(sql`gone as (
      delete from ${emailQueue} using result where ${stillOurs} and result.retry is null
      returning ${emailQueue.emailId}, ${emailQueue.attempts}
    ), settled as (
      update ${emails} set ${assignments(emails, {
        status: sql.raw(statusAfter("emails.status", "result.status")),
        attempts: sql`gone.attempts`,
        // Nothing is kept of a person who has been deleted in the meantime, except what is counted.
        subject: sql`case when ${emails.recipient} is null then ${emails.subject}
          else coalesce(result.subject, ${emails.subject}) end`,
        providerId: sql`coalesce(result.provider_id, ${emails.providerId})`,
        ...firstTimesAfter(sql`result.status`),
      })}
      from gone join result on result.id = gone.email_id
      where ${emails.id} = gone.email_id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, ${emails.recipient},
        ${emails.contactId}, result.suppress, result.words, result.captured_id, result.envelope_from,
        result.envelope_to, result.raw, result.domain_id, 1 as settled,
        (${emails.sentAt} is not distinct from app_now()
          or result.status = 'BOUNCED' and ${emails.sentAt} is null)::int as sent,
        ${justNow(sql`${emails.deliveredAt}`)} as delivered,
        ${justNow(sql`${emails.bouncedAt}`)} as bounced,
        ${justNow(sql`${emails.complainedAt}`)} as complained,
        (result.status = 'FAILED' and ${emails.status} = 'FAILED')::int as failed
    )`);

/** `moved`: the emails that were still ours, including those to be retried, with what is added to their figures. */
const moved = fixed(sql`later as (
      update ${emailQueue} set ${assignments(emailQueue, {
        dueAt: sql`app_now() + make_interval(secs => result.retry)`,
        asleep: sql`true`,
        leaseId: sql`null`,
        leaseUntil: sql`null`,
      })}
      from result where ${stillOurs} and result.retry is not null
      returning result.*
    ), moved as (
      select * from settled
      union all
      select ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, ${emails.recipient},
        ${emails.contactId}, later.suppress, later.words, later.captured_id, later.envelope_from,
        later.envelope_to, later.raw, later.domain_id, 0, 0, 0, 0, 0, 0
      from later join ${emails} on ${emails.id} = later.id
    ), counted as (
      ${addFigures("moved", ["settled", "sent", "delivered", "bounced", "complained", "failed"], { variants: true })}
    ), ${countWarmup}`);

/** `deliveries`: the notifications to webhooks about the events. */
function notedEvents(results: readonly DeliveryResult[]): SQL {
  const events = results.flatMap(({ email, events: reported }) =>
    reported.map((event, position) => ({ emailId: email.id, position, ...event })),
  );
  const e = <Value>(read: (event: (typeof events)[number]) => Value) => sql.param(events.map(read));
  return sql`noted as (
      -- A microsecond apart: events of one try are read in their order.
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`moved.project_id`),
        projectId: sql`moved.project_id`,
        emailId: sql`moved.id`,
        name: sql`event.name`,
        data: sql`case when moved.recipient is null then '{}' else event.data::jsonb end`,
        createdAt: sql`app_now() + event.position * interval '1 microsecond'`,
      })}
      from moved join unnest(
        ${e(({ emailId }) => emailId)}::uuid[], ${e(({ position }) => position)}::int[],
        ${e(({ name }) => name)}::text[], ${e(({ data }) => JSON.stringify(data))}::text[]
      ) as event(email_id, position, name, data) on event.email_id = moved.id
      returning ${emailEventColumns}
    ), deliveries as (
      ${emailEventDeliveries(sql`noted`)}
    )`;
}

const captured = fixed(sql`captured as (
      ${insertSelected(capturedEmails, {
        id: sql`captured_id`,
        projectId: sql`project_id`,
        emailId: sql`id`,
        envelopeFrom: sql`envelope_from`,
        envelopeTo: sql`envelope_to`,
        raw: sql`decode(raw, 'base64')`,
      })}
      from moved where raw is not null and recipient is not null order by id
      on conflict (${columns(capturedEmails.emailId)}) do update set ${assignments(capturedEmails, {
        raw: excluded(capturedEmails.raw),
      })}
    )`);

/**
 * Records the results of tries in one statement: status, figures, events, next try, suppression, captured mail.
 * Only for emails whose lease is still ours; resolves to their uuids.
 */
export async function recordResults(
  db: Database,
  results: readonly DeliveryResult[],
): Promise<Set<string>> {
  const statement = sql`
    with ${givenResults(results)}, ${settled}, ${moved}, ${notedEvents(results)},
    ${suppressedRecipients("moved")}, ${captured}
    select id, ${madeDeliveries(sql`deliveries`)} as told from moved`;
  const rows = await retryConflicts(() =>
    executePrepared<{ id: string; told: boolean }>(db, statement),
  );
  if (rows[0]?.told) announce(db, "webhooks_due");
  const recorded = new Set(rows.map((row) => row.id));
  const ours = results.filter(({ email }) => recorded.has(email.id));
  countAttempts(ours);
  await suppressWornOut(db, ours);
  return recorded;
}
