import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { statusAfter } from "@/lib/domain/emails/status";
import { addFigures } from "@/lib/ground/counters/counters";
import { newId } from "@/lib/ground/ids/ids";
import { strikeMemberships } from "@/lib/domain/lists/suppressed-members";
import {
  contactEventDeliveries,
  emailEventDeliveries,
  wakeDeliveries,
} from "@/lib/ground/events/emit";
import type { DeliveryResult } from "./result";

/**
 * Records what came of tries, in one statement: status, figures, events, next try, suppression,
 * captured mail.
 * Only of emails whose lease is still ours; resolves to their uuids.
 */
export async function recordResults(
  db: Database,
  results: readonly DeliveryResult[],
): Promise<Set<string>> {
  const events = results.flatMap(({ email, events: reported }) =>
    reported.map((event, position) => ({ emailId: email.id, position, ...event })),
  );
  const r = <Value>(read: (result: DeliveryResult) => Value) => sql.param(results.map(read));
  const e = <Value>(read: (event: (typeof events)[number]) => Value) => sql.param(events.map(read));
  const rows = await retryConflicts(() =>
    executePrepared<{ id: string }>(
      db,
      sql`
      with result as materialized (
        select * from unnest(
          ${r((one) => one.email.id)}::uuid[], ${r((one) => one.email.leaseId)}::uuid[],
          ${r((one) => one.status)}::text[], ${r((one) => one.retryAfterSeconds)}::float8[],
          ${r((one) => one.subject)}::text[], ${r((one) => one.suppress)}::text[],
          ${r((one) => (one.suppress || one.captured ? newId() : null))}::uuid[], ${r((one) => one.captured?.envelope.from ?? null)}::text[],
          ${r((one) => one.captured?.envelope.to ?? null)}::text[],
          ${r((one) => one.captured?.raw.toString("base64") ?? null)}::text[]
        ) as given(id, lease_id, status, retry, subject, suppress, new_id, envelope_from, envelope_to, raw)
      ), moved as (
        update emails e set
          status = ${sql.raw(statusAfter("e.status", "r.status"))},
          due_at = app_now() + make_interval(secs => r.retry),
          lease_id = null,
          -- Of a person who was deleted meanwhile nothing is kept but what is counted.
          subject = case when e.recipient is null then e.subject else coalesce(r.subject, e.subject) end,
          sent_at = coalesce(e.sent_at,
            case when r.status in ('SENT', 'DELIVERED', 'COMPLAINED') then app_now() end),
          delivered_at = coalesce(e.delivered_at,
            case when r.status in ('DELIVERED', 'COMPLAINED') then app_now() end),
          bounced_at = coalesce(e.bounced_at, case when r.status = 'BOUNCED' then app_now() end),
          complained_at = coalesce(e.complained_at,
            case when r.status = 'COMPLAINED' then app_now() end)
        from result r
        where e.id = r.id and e.lease_id = r.lease_id
        returning e.id, e.project_id, e.campaign_id, e.recipient, e.contact_id, r.suppress, r.new_id,
          r.envelope_from, r.envelope_to, r.raw,
          -- First times: what was set before this transaction began is not of its time.
          (r.retry is null)::int as settled,
          (e.sent_at is not distinct from app_now()
            or r.status = 'BOUNCED' and e.sent_at is null)::int as sent,
          (e.delivered_at is not distinct from app_now())::int as delivered,
          (e.bounced_at is not distinct from app_now())::int as bounced,
          (e.complained_at is not distinct from app_now())::int as complained,
          (r.status = 'FAILED' and e.status = 'FAILED')::int as failed
      ), counted as (
        ${addFigures("moved", ["settled", "sent", "delivered", "bounced", "complained", "failed"])}
      ), noted as (
        -- A microsecond apart: events of one try are read in their order.
        insert into email_events (project_id, email_id, name, data, created_at)
        select moved.project_id, moved.id, event.name,
          case when moved.recipient is null then '{}' else event.data::jsonb end,
          app_now() + event.position * interval '1 microsecond'
        from moved join unnest(
          ${e((one) => one.emailId)}::uuid[], ${e((one) => one.position)}::int[],
          ${e((one) => one.name)}::text[], ${e((one) => JSON.stringify(one.data))}::text[]
        ) as event(email_id, position, name, data) on event.email_id = moved.id
        returning id, project_id, email_id, name, data, created_at
      ), deliveries as (
        ${emailEventDeliveries(sql`noted`)}
      ), suppressed as (
        insert into suppressions (id, project_id, email, reason)
        select new_id, project_id, recipient, suppress from moved
        where suppress is not null and recipient is not null
        order by project_id, lower(recipient)
        on conflict (project_id, lower(email)) do nothing
      ), unsubscribed as (
        update contacts set consent = 'unsubscribed', updated_at = app_now()
        from moved
        where contacts.id = moved.contact_id and moved.suppress = 'complaint'
          and contacts.consent <> 'unsubscribed'
        returning contacts.*, 'contact.unsubscribed' as event, '{}'::jsonb as more
      ), told as (
        ${contactEventDeliveries(sql`unsubscribed`)}
      ), struck as (
        ${strikeMemberships("moved")}
      ), captured as (
        insert into captured_emails (id, project_id, email_id, envelope_from, envelope_to, raw)
        select new_id, project_id, id, envelope_from, envelope_to, decode(raw, 'base64')
        from moved where raw is not null and recipient is not null order by id
        on conflict (email_id) do update set raw = excluded.raw
      )
      select id, ${wakeDeliveries(sql`deliveries`)} as woken from moved`,
    ),
  );
  return new Set(rows.map((row) => row.id));
}
