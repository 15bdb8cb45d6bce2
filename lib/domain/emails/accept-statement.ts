import { sql, type SQL } from "drizzle-orm";
import { fixed, insertSelected, sameNamed, newIdOf } from "@/db/names";
import {
  domains,
  emailEvents,
  emailQueue,
  emails,
  forgottenAddresses,
  messages as messageTable,
  projects,
} from "@/db/schema";
import { joinedReason, suppressionJoins } from "@/lib/domain/contact-states/suppressed";
import { addressedContacts, knownContacts } from "@/lib/domain/contacts/addressed";
import { forgottenHash } from "@/lib/domain/contacts/forgotten";
import { addFigures } from "@/lib/ground/counters/counters";
import { countForMonth } from "@/lib/ground/counters/monthly-usage";
import { emailEventColumns, emailEventDeliveries } from "@/lib/ground/events/emit";
import { newId } from "@/lib/ground/ids/ids";
import { domainOf } from "@/lib/mail/address";
import type { AcceptMessage, AcceptUnit } from "./accept";

/** A message of the units, under its uuid. */
export interface UnitMessage {
  id: string;
  unit: AcceptUnit;
  unitIndex: number;
  /** Its place in the unit. */
  index: number;
  message: AcceptMessage;
}

/** One of its recipients; `id` is the email's uuid. */
export interface UnitRecipient {
  id: string;
  entry: UnitMessage;
  person: { email: string; name: string };
}

export interface AcceptRow extends Record<string, unknown> {
  unit: number;
  /** Place of the recipient. Null on the row that speaks for the unit. */
  email: number | null;
  contact_id: string | null;
  contact_email: string | null;
  unverified: string | null;
  limited: number | null;
  at: string;
}

// The driver mistakes an array of booleans for a single boolean, and drizzle does not convert arrays of times: both
// are passed as text and cast in the statement.
const bool = (value: boolean | null) => (value === null ? null : String(value));
const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** `message`: the input, with the verified domain it is sent from (null if there is none). */
function givenMessages(messages: readonly UnitMessage[]): SQL {
  const m = <Value>(read: (entry: UnitMessage) => Value) => sql.param(messages.map(read));
  return sql`message as materialized (
      select input.*, ${domains.id} as domain_id
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
      ) as input(id, unit, project_id, domain, from_email, from_name, reply_to, subject, html, text,
        liquid, headers, data, metadata, template_id, track_opens, track_clicks, test, emails)
      left join ${domains} on ${domains.projectId} = input.project_id
        and ${domains.name} = input.domain and ${domains.status} = 'VERIFIED'
    )`;
}

/** `person`: each recipient of the accepted units. */
function givenRecipients(recipients: readonly UnitRecipient[]): SQL {
  const r = <Value>(read: (recipient: UnitRecipient, index: number) => Value) =>
    sql.param(recipients.map(read));
  return sql`person as materialized (
      select input.nth, input.id, input.new_contact, input.forgotten, input.email,
        input.name, input.subscribed::boolean as subscribed,
        input.scheduled_at::timestamptz as scheduled_at,
        input.send_before::timestamptz as send_before,
        input.source, input.origin, input.actor_id, message.id as message_id, message.project_id, message.unit
      from unnest(
        ${r((e) => e.id)}::uuid[], ${r((e) => e.entry.id)}::uuid[], ${r((e) => e.person.email)}::text[],
        ${r((e) => e.person.name || null)}::text[], ${r((e) => bool(e.entry.message.subscribed))}::text[],
        ${r((e) => e.entry.message.scheduledAt)}::text[],
        ${r((e) => e.entry.message.sendBefore)}::text[],
        ${r((e) => e.entry.message.source)}::text[],
        ${r((e) => e.entry.unit.by.origin)}::text[], ${r((e) => e.entry.unit.by.actorId)}::uuid[],
        ${r((e) => newId(e.entry.unit.projectId))}::uuid[],
        ${r((e) => forgottenHash(e.entry.unit.projectId, e.person.email))}::text[],
        ${r((_, index) => index)}::int[]
      ) as input(id, message_id, email, name, subscribed, scheduled_at, send_before, source,
        origin, actor_id, new_contact, forgotten, nth)
      join message on message.id = input.message_id
      join good on good.unit = message.unit
    )`;
}

/** `unit`: what each unit sends, and one of its unverified domains (null if there is none). */
const unit = fixed(sql`unit as materialized (
      select unit, project_id, sum(emails) as emails,
        min(domain) filter (where domain_id is null) as unverified
      from message group by unit, project_id
    )`);

/** `good`: accepted units, with their emails counted towards the month. */
const good = () => sql`usage as (
      ${countForMonth(sql`(select project_id, emails from unit where unverified is null)`)}
    ), good as materialized (
      select unit.unit from unit join usage using (project_id) where unit.unverified is null
    )`;

const storedMessages = fixed(sql`stored as (
      ${insertSelected(messageTable, {
        ...sameNamed(messageTable, "id", "projectId", "domainId", "fromEmail", "fromName"),
        ...sameNamed(messageTable, "replyTo", "subject", "html", "text", "templateId"),
        liquid: sql`liquid::boolean`,
        headers: sql`headers::jsonb`,
        data: sql`data::jsonb`,
        metadata: sql`metadata::jsonb`,
        trackOpens: sql`track_opens::boolean`,
        trackClicks: sql`track_clicks::boolean`,
        test: sql`test::boolean`,
      })}
      from message where unit in (select unit from good)
    )`);

/** `addressed`: each person with their contact, and why nothing may be sent to them (null if mail may be sent). */
const addressed = fixed(sql`addressed as materialized (
      select person.*, contact.id as contact_id, contact.email as contact_email,
        coalesce(${joinedReason}, ${forgottenAddresses.suppressed}) as suppressed
      from person
      join contact on contact.project_id = person.project_id and contact.key = lower(person.email)
      ${suppressionJoins(sql`person.project_id`, sql`contact.key`)}
      left join ${forgottenAddresses} on ${forgottenAddresses.projectId} = person.project_id
        and ${forgottenAddresses.hash} = person.forgotten
    )`);

/** The same where not everybody is a contact. */
const addressedAnybody = fixed(sql`addressed as materialized (
      select person.*, contact.id as contact_id,
        coalesce(contact.email, person.email) as contact_email,
        coalesce(${joinedReason}, ${forgottenAddresses.suppressed}) as suppressed
      from person
      left join contact on contact.project_id = person.project_id and contact.key = lower(person.email)
      ${suppressionJoins(sql`person.project_id`, sql`person.email`)}
      left join ${forgottenAddresses} on ${forgottenAddresses.projectId} = person.project_id
        and ${forgottenAddresses.hash} = person.forgotten
    )`);

/** The emails; those to suppressed addresses end at once, and are counted and reported to webhooks. */
const queued = fixed(sql`queued as (
      ${insertSelected(emails, {
        ...sameNamed(emails, "id", "projectId", "messageId", "contactId", "source"),
        recipient: sql`email`,
        recipientName: sql`name`,
        status: sql`case when suppressed is null then 'PENDING' else 'FAILED' end`,
      })}
      from addressed order by nth
    ), waiting as (
      ${insertSelected(emailQueue, {
        emailId: sql`id`,
        projectId: sql`project_id`,
        asleep: sql`coalesce(scheduled_at > app_now(), false)`,
        dueAt: sql`coalesce(greatest(scheduled_at, app_now()), app_now())`,
        sendBefore: sql`send_before`,
      })}
      from addressed where suppressed is null order by nth
    ), noted as (
      -- 'queued' is the row itself: its created_at.
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'suppressed'`,
        data: sql`jsonb_build_object('reason', suppressed)`,
      })}
      from addressed where suppressed is not null order by nth
      returning ${emailEventColumns}
    ), emails_told as (
      ${emailEventDeliveries(sql`noted`)}
    ), refused as (
      select project_id, null::uuid as campaign_id, 1 as settled, 1 as failed
      from addressed where suppressed is not null
    ), counted as (
      ${addFigures("refused", ["settled", "failed"])}
    )`);

/** A row for each email, and one for each unit that says why it is refused. */
const answer = fixed(sql`
    select unit, nth as email, contact_id, contact_email, null as unverified, null as limited,
      app_now() as at
    from addressed
    union all
    select unit.unit, null, null, null, unit.unverified,
      case when unit.unverified is null and good.unit is null
        then ${projects.monthlyEmailLimit} end,
      app_now()
    from unit left join good using (unit) left join ${projects} on ${projects.id} = unit.project_id`);

/** The statement that accepts units: see acceptUnits. Its rows are AcceptRow. */
export function acceptStatement(
  messages: readonly UnitMessage[],
  recipients: readonly UnitRecipient[],
  { newContacts }: { newContacts: boolean },
): SQL {
  const people = newContacts ? addressedContacts : knownContacts;
  return sql`with ${givenMessages(messages)}, ${unit}, ${good()}, ${givenRecipients(recipients)},
    ${people}, ${storedMessages}, ${newContacts ? addressed : addressedAnybody}, ${queued} ${answer}`;
}
