import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import type { EmailSource } from "@/db/enums";
import { domainOf } from "@/lib/mail/address";
import { forgottenHash } from "@/lib/domain/contacts/forgotten";
import { AppError } from "@/lib/ground/errors";
import { addFigures } from "@/lib/ground/counters/counters";
import { newId } from "@/lib/ground/ids/ids";
import { contactEventDeliveries, emailEventDeliveries } from "@/lib/ground/events/emit";
import type { NormalizedSend } from "./normalize";

/** One message to be accepted, with the content that goes out and its recipients. */
export interface AcceptMessage extends Omit<NormalizedSend, "subject"> {
  subject: string;
  templateUuid: string | null;
  /** False for what must not be read as Liquid. */
  liquid: boolean;
  /** Mail of campaigns is written by the campaigns' engine. */
  source: Exclude<EmailSource, "CAMPAIGN">;
}

/** What stands or falls together: one request. */
export interface AcceptUnit {
  projectId: string;
  testMode: boolean;
  messages: AcceptMessage[];
}

export interface AcceptedEmail {
  /** Position of its message in the unit. */
  index: number;
  /** uuid */
  emailId: string;
  contactId: string;
  contactEmail: string;
}

export interface Accepted {
  emails: AcceptedEmail[];
  /** uuid per message of the unit. */
  messageIds: string[];
  acceptedAt: Date;
}

interface Row extends Record<string, unknown> {
  unit: number;
  /** Null on the row that speaks for the unit. */
  email: number | null;
  contact_id: string | null;
  contact_email: string | null;
  unverified: string | null;
  limited: number | null;
  at: string;
}

/** A process keeps to one slot; so many processes can count for one project without waiting. */
const usageSlot = 1 + Math.floor(Math.random() * 30);

/**
 * Accepts units in one statement: contacts, messages, emails, events, the month's count and the wake-up
 * of the workers. A unit that is refused leaves nothing behind and does not touch the others.
 * Resolves to what was accepted or the unit's error (DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED).
 */
export async function acceptUnits(
  executor: Executor,
  units: AcceptUnit[],
): Promise<(Accepted | Error)[]> {
  const messages = units.flatMap((unit, unitIndex) =>
    unit.messages.map((message, index) => ({ id: newId(), unit, unitIndex, index, message })),
  );
  const recipients = messages.flatMap((entry) =>
    entry.message.to.map((person) => ({ id: newId(), entry, person })),
  );
  const m = <Value>(read: (entry: (typeof messages)[number]) => Value) =>
    sql.param(messages.map(read));
  const r = <Value>(read: (entry: (typeof recipients)[number]) => Value) =>
    sql.param(recipients.map(read));
  // The driver takes an array of booleans for one boolean, and drizzle leaves arrays of times as they
  // are: both go as text and are cast in the statement.
  const bool = (value: boolean | null) => (value === null ? null : String(value));
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

  const statement = sql`
    with message as materialized (
      select given.*, domains.id as domain_id
      from unnest(
        ${m((e) => e.id)}::uuid[], ${m((e) => e.unitIndex)}::int[], ${m((e) => e.unit.projectId)}::uuid[],
        ${m((e) => domainOf(e.message.from.email))}::text[], ${m((e) => e.message.from.email)}::text[],
        ${m((e) => e.message.from.name)}::text[], ${m((e) => e.message.replyTo)}::text[],
        ${m((e) => e.message.subject)}::text[], ${m((e) => e.message.html)}::text[],
        ${m((e) => e.message.text)}::text[], ${m((e) => bool(e.message.liquid))}::text[],
        ${m((e) => json(e.message.headers))}::text[], ${m((e) => json(e.message.data))}::text[],
        ${m((e) => json(e.message.metadata))}::text[], ${m((e) => e.message.templateUuid)}::uuid[],
        ${m((e) => bool(e.message.trackOpens))}::text[], ${m((e) => bool(e.message.trackClicks))}::text[],
        ${m((e) => bool(e.unit.testMode))}::text[], ${m((e) => e.message.to.length)}::int[]
      ) as given(id, unit, project_id, domain, from_email, from_name, reply_to, subject, html, text,
        liquid, headers, data, metadata, template_id, track_opens, track_clicks, test, emails)
      left join domains on domains.project_id = given.project_id
        and domains.name = given.domain and domains.status = 'VERIFIED'
    ), unit as materialized (
      select unit, project_id, sum(emails) as emails,
        min(domain) filter (where domain_id is null) as unverified
      from message group by unit, project_id
    ), usage as (
      insert into monthly_usage as used (project_id, month, slot, emails)
      select unit.project_id, date_trunc('month', app_now() at time zone 'UTC')::date,
        case when projects.monthly_email_limit is null then ${usageSlot}::smallint else 0 end,
        sum(unit.emails)
      from unit join projects on projects.id = unit.project_id
      where unit.unverified is null
      group by unit.project_id, projects.monthly_email_limit
      having projects.monthly_email_limit is null
        or sum(unit.emails) + spread_usage(unit.project_id) <= projects.monthly_email_limit
      order by unit.project_id
      on conflict (project_id, month, slot) do update set emails = used.emails + excluded.emails
        where used.slot <> 0 or used.emails + excluded.emails + spread_usage(used.project_id)
          <= (select monthly_email_limit from projects where id = used.project_id)
      returning project_id
    ), good as materialized (
      select unit.unit from unit join usage using (project_id) where unit.unverified is null
    ), person as materialized (
      select given.nth, given.id, given.new_contact, given.forgotten, given.email,
        given.name, given.subscribed::boolean as subscribed,
        given.scheduled_at::timestamptz as scheduled_at,
        given.source, message.id as message_id, message.project_id, message.unit
      from unnest(
        ${r((e) => e.id)}::uuid[], ${r((e) => e.entry.id)}::uuid[], ${r((e) => e.person.email)}::text[],
        ${r((e) => e.person.name || null)}::text[], ${r((e) => bool(e.entry.message.subscribed))}::text[],
        ${r((e) => e.entry.message.scheduledAt)}::text[],
        ${r((e) => e.entry.message.source)}::text[],
        ${r(() => newId())}::uuid[],
        ${r((e) => forgottenHash(e.entry.unit.projectId, e.person.email))}::text[], ${sql.param(recipients.map((_, index) => index))}::int[]
      ) as given(id, message_id, email, name, subscribed, scheduled_at, source,
        new_contact, forgotten, nth)
      join message on message.id = given.message_id
      join good on good.unit = message.unit
    ), wanted as materialized (
      -- The last word on a contact's subscription within the statement wins.
      select project_id, lower(email) as key, (array_agg(email order by nth))[1] as email,
        (array_agg(new_contact order by nth))[1] as id, min(forgotten) as forgotten,
        (array_agg(subscribed order by nth desc) filter (where subscribed is not null))[1] as subscribed
      from person group by project_id, lower(email)
    ), known as materialized (
      select contacts.id, contacts.project_id, contacts.email, wanted.key
      from wanted join contacts
        on contacts.project_id = wanted.project_id and lower(contacts.email) = wanted.key
    ), made as (
      insert into contacts (id, project_id, email, consent)
      select wanted.id, wanted.project_id, wanted.email, case
        when subscribed then 'subscribed'
        when not subscribed or f.hash is not null then 'unsubscribed'
        else 'never' end
      from wanted left join forgotten_addresses f on f.project_id = wanted.project_id and f.hash = wanted.forgotten
      where not exists (select from known
        where known.project_id = wanted.project_id and known.key = wanted.key)
      order by wanted.project_id, key
      on conflict (project_id, lower(email)) do update set
        consent = case excluded.consent when 'never' then contacts.consent else excluded.consent end
      returning contacts.*
    ), restored as (
      insert into suppressions (id, project_id, email, reason)
      select new_id(), made.project_id, made.email, f.suppressed
      from made join wanted on wanted.project_id = made.project_id and wanted.key = lower(made.email)
      join forgotten_addresses f on f.project_id = wanted.project_id and f.hash = wanted.forgotten
        and f.suppressed is not null
      on conflict do nothing
    ), cleared as (
      update forgotten_addresses f set suppressed = null
      from made join wanted on wanted.project_id = made.project_id and wanted.key = lower(made.email)
      where f.project_id = wanted.project_id and f.hash = wanted.forgotten
        and f.suppressed is not null
    ), changed as (
      update contacts set
        consent = case when wanted.subscribed then 'subscribed' else 'unsubscribed' end,
        updated_at = app_now()
      from known join wanted using (project_id, key)
      where contacts.id = known.id and wanted.subscribed is not null
        and contacts.consent <> case when wanted.subscribed then 'subscribed' else 'unsubscribed' end
      returning contacts.*
    ), told as (
      -- One that somebody else made meanwhile was not made here.
      select 'contact.created' as event, '{}'::jsonb as more, made.*
      from made where id in (select id from wanted)
      union all
      select 'contact.' || consent, '{}', changed.* from changed
    ), contacts_told as (
      ${contactEventDeliveries(sql`told`)}
    ), contact as materialized (
      select id, project_id, email, key from known
      union all select id, project_id, email, lower(email) from made
    ), stored as (
      insert into messages (id, project_id, domain_id, from_email, from_name, reply_to, subject, html,
        text, liquid, headers, data, metadata, template_id, track_opens, track_clicks, test)
      select id, project_id, domain_id, from_email, from_name, reply_to, subject, html, text,
        liquid::boolean, headers::jsonb, data::jsonb, metadata::jsonb, template_id,
        track_opens::boolean, track_clicks::boolean, test::boolean
      from message where unit in (select unit from good)
    ), addressed as materialized (
      select person.*, contact.id as contact_id, contact.email as contact_email,
        coalesce(suppressions.reason, f.suppressed) as suppressed
      from person
      join contact on contact.project_id = person.project_id and contact.key = lower(person.email)
      left join suppressions on suppressions.project_id = person.project_id
        and lower(suppressions.email) = contact.key
      left join forgotten_addresses f on f.project_id = person.project_id
        and f.hash = person.forgotten
    ), queued as (
      insert into emails (id, project_id, message_id, contact_id, recipient, recipient_name, source,
        status, due_at)
      select id, project_id, message_id, contact_id, email, name, source,
        case when suppressed is null then 'PENDING' else 'FAILED' end,
        case when suppressed is null then coalesce(greatest(scheduled_at, app_now()), app_now()) end
      from addressed order by nth
    ), noted as (
      -- 'queued' is the row itself: its created_at.
      insert into email_events (project_id, email_id, name, data)
      select project_id, id, 'suppressed', jsonb_build_object('reason', suppressed)
      from addressed where suppressed is not null order by nth
      returning id, project_id, email_id, name, data, created_at
    ), emails_told as (
      ${emailEventDeliveries(sql`noted`)}
    ), refused as (
      select project_id, null::uuid as campaign_id, 1 as settled, 1 as failed
      from addressed where suppressed is not null
    ), counted as (
      ${addFigures("refused", ["settled", "failed"])}
    ), woken as materialized (
      select pg_notify('emails_due', '') from good limit 1
    )
    select unit, nth as email, contact_id, contact_email, null as unverified, null as limited,
      app_now() as at
    from addressed
    union all
    select unit.unit, null, null, null, unit.unverified,
      case when unit.unverified is null and good.unit is null then projects.monthly_email_limit end,
      app_now()
    from unit left join good using (unit) left join projects on projects.id = unit.project_id
      left join woken on true`;
  // A kept plan reckons with ten rows. Past some dozens its nested loops cost more than planning anew:
  // 6,400 emails took 1,100 ms by the kept plan and 300 ms by one of their own.
  const rows =
    recipients.length <= 32
      ? await executePrepared<Row>(executor, statement)
      : await executor.execute<Row>(statement);

  const results: (Accepted | Error)[] = units.map((_, unitIndex) => ({
    emails: [],
    messageIds: messages.filter((entry) => entry.unitIndex === unitIndex).map((entry) => entry.id),
    acceptedAt: new Date(rows[0]?.at ?? 0),
  }));
  for (const row of rows) {
    if (row.email !== null) continue;
    if (row.unverified !== null) {
      results[row.unit] = new AppError(
        "DOMAIN_NOT_VERIFIED",
        `The sender domain ${row.unverified} is not verified in this project.`,
      );
    } else if (row.limited !== null) {
      results[row.unit] = new AppError(
        "PAYMENT_REQUIRED",
        `The project's limit of ${row.limited} emails a month is reached.`,
      );
    }
  }
  for (const row of rows) {
    if (row.email === null) continue;
    const recipient = recipients[row.email];
    const result = results[row.unit];
    if (!recipient || !result || result instanceof Error) continue;
    result.emails[row.email] = {
      index: recipient.entry.index,
      emailId: recipient.id,
      contactId: row.contact_id ?? "",
      contactEmail: row.contact_email ?? "",
    };
  }
  for (const [unitIndex, result] of results.entries()) {
    if (result instanceof Error) continue;
    // Rows come in any order; positions put them into the caller's.
    result.emails = result.emails.filter(Boolean);
    const expected = recipients.filter(({ entry }) => entry.unitIndex === unitIndex).length;
    if (result.emails.length !== expected) {
      results[unitIndex] = new Error(`Accepted ${result.emails.length} of ${expected} emails.`);
    }
  }
  return results;
}
