import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { columns, fixed, insertSelected, newIdOf, sameNamed } from "@/db/names";
import { contacts, emailEvents, projectEvents, webhookDeliveries, webhooks } from "@/db/schema";
import { byId } from "@/lib/ground/by-id";
import { newId } from "@/lib/ground/ids/ids";
import type { WebhookEvent } from "./names";

/** Something that happened; `data` as it goes out, ids in their wire form. */
export interface EmittedEvent {
  /** uuid */
  projectId: string;
  type: WebhookEvent;
  data: object;
}

/**
 * For rare transactions: a select item that wakes the workers when the CTE `deliveries` made any. Evaluated once,
 * however many rows it stands beside.
 */
export function wakeDeliveries(deliveries: SQL): SQL {
  return sql`(select pg_notify('webhooks_due', '') from ${deliveries} limit 1)`;
}

/** A select item that says whether the CTE `deliveries` made any: the workers are to be told after the commit. */
export function madeDeliveries(deliveries: SQL): SQL {
  return sql`exists (select from ${deliveries})`;
}

/** Whether a webhook wants an event of `told`. */
const listening = (
  event: SQL,
) => sql`${webhooks.projectId} = told.project_id and ${webhooks.enabled}
      and ${webhooks.events} && array['*', ${event}]`;

/** Waits for whoever is deleting a webhook and then passes over it: a delivery of what is gone fails the whole statement. */
const stillThere = sql`for key share of ${webhooks}`;

/** What a CTE that writes email events returns, for emailEventDeliveries. */
export const emailEventColumns = fixed(
  columns(
    ...[emailEvents.id, emailEvents.projectId, emailEvents.emailId],
    ...[emailEvents.name, emailEvents.data, emailEvents.createdAt],
  ),
);

/** What an email's event is called when projects are told of it. */
export const emailEventName = (name: SQL) =>
  sql`'email.' || case ${name} when 'suppressed' then 'failed' else ${name} end`;

/**
 * Events of emails that projects are not told of: the row itself, what the contact's event says, and programs' visits.
 */
export const untoldEmailEvents = (name: SQL, data: SQL) =>
  sql`${name} in ('queued', 'unsubscribed') or ${data} ? 'machine'`;

/**
 * The body of a CTE that makes deliveries of email events, for statements that do everything in one
 * round trip. `events` names a relation with the columns of email_events (an insert's
 * `returning ${emailEventColumns}`). Select `wakeDeliveries` of it beside the result.
 */
export function emailEventDeliveries(events: SQL): SQL {
  const event = emailEventName(sql`told.name`);
  return sql`
    ${insertSelected(webhookDeliveries, {
      id: newIdOf(sql`told.project_id`),
      projectId: sql`told.project_id`,
      webhookId: sql`${webhooks.id}`,
      eventId: sql`told.id`,
      event,
      subjectId: sql`told.email_id`,
      data: sql`told.data`,
      createdAt: sql`told.created_at`,
    })}
    from ${events} told join ${webhooks} on ${listening(event)}
    where not (${untoldEmailEvents(sql`told.name`, sql`told.data`)})
    ${stillThere}
    returning 1 as made`;
}

const projectEventColumns = fixed(
  columns(
    ...[projectEvents.id, projectEvents.projectId, projectEvents.event],
    ...[projectEvents.subjectId, projectEvents.data, projectEvents.createdAt],
  ),
);

/**
 * SQL of two CTEs: `kept` writes events down for those who ask (GET /v1/events), `deliveries` makes a delivery
 * of each for every webhook that `hears` it. `events` is what `insertSelected` into project_events begins with.
 */
export function toldEvents(
  events: SQL,
  { kept, deliveries, hears = listening(sql`told.event`) }: ToldNames & { hears?: SQL },
): SQL {
  return sql`${kept} as (
      ${events}
      returning ${projectEventColumns}
    ), ${deliveries} as (
      ${insertSelected(webhookDeliveries, {
        id: newIdOf(sql`told.project_id`),
        projectId: sql`told.project_id`,
        webhookId: sql`${webhooks.id}`,
        eventId: sql`told.id`,
        event: sql`told.event`,
        subjectId: sql`told.subject_id`,
        data: sql`told.data`,
        createdAt: sql`told.created_at`,
      })}
      from ${kept} told join ${webhooks} on ${hears}
      ${stillThere}
      returning 1 as made
    )`;
}

/** What the two CTEs are called. */
interface ToldNames {
  kept: SQL;
  deliveries: SQL;
}

/**
 * The same for events of contacts. `changed` names a relation with `project_id`, `event` (such as
 * contact.created), `more` (jsonb: an empty object, or what stands beside the contact's fields under that
 * key) and the contact's columns as they are after the change. Leaves `contacts_told`, the deliveries.
 */
export function toldContactEvents(changed: SQL): SQL {
  return toldEvents(
    sql`${insertSelected(projectEvents, {
      id: newIdOf(sql`told.project_id`),
      projectId: sql`told.project_id`,
      event: sql`told.event`,
      subjectId: sql`told.id`,
      data: sql`jsonb_build_object(
        'id', told.id, 'email', told.email, 'first_name', told.first_name,
        'last_name', told.last_name, 'consent', told.consent, 'tags', told.tags, 'data', told.data,
        'created_at', told.created_at, 'updated_at', told.updated_at) || told.more`,
    })} from ${changed} told`,
    { kept: sql`contact_events`, deliveries: sql`contacts_told` },
  );
}

/**
 * Writes events down and makes a delivery for each enabled webhook that subscribes to one: one statement, in
 * the caller's transaction, so that the event is told exactly when it happened.
 */
export async function emitEvents(executor: Executor, events: readonly EmittedEvent[]) {
  if (events.length === 0) return;
  const written = sql`${insertSelected(projectEvents, {
    ...sameNamed(projectEvents, "id", "projectId", "event"),
    data: sql`data::jsonb`,
  })} from unnest(
        ${sql.param(events.map(({ projectId }) => newId(projectId)))}::uuid[],
        ${sql.param(events.map((event) => event.projectId))}::uuid[],
        ${sql.param(events.map((event) => event.type))}::text[],
        ${sql.param(events.map((event) => JSON.stringify(event.data)))}::text[]
      ) as given(id, project_id, event, data)`;
  await executePrepared(
    executor,
    sql`
    with ${toldEvents(written, { kept: sql`kept`, deliveries: sql`deliveries` })}
    select ${wakeDeliveries(sql`deliveries`)}`,
  );
}

/**
 * Events of contacts as they now stand in their table; ids are uuids, `data` stands beside the contact's
 * fields. Otherwise like emitEvents.
 */
export async function emitContactEvents(
  executor: Executor,
  projectId: string,
  events: readonly {
    type: WebhookEvent & `contact.${string}`;
    contactId: string;
    data?: Record<string, unknown>;
  }[],
) {
  if (events.length === 0) return;
  // Each by its key: in a join, all contacts of a project without statistics would be read from the first on.
  await executePrepared(
    executor,
    sql`
    with told as (
      select given.event, given.more::jsonb as more, contact.* from unnest(
        ${sql.param(events.map((event) => event.contactId))}::uuid[],
        ${sql.param(events.map((event) => event.type))}::text[],
        ${sql.param(events.map(({ data }) => JSON.stringify(data ? { more: data } : {})))}::text[]
      ) as given(contact_id, event, more)
      cross join lateral (select * from ${contacts}
        where ${byId(contacts, projectId, sql`given.contact_id`)} limit 1) contact
    ), ${toldContactEvents(sql`told`)}
    select ${wakeDeliveries(sql`contacts_told`)}`,
  );
}
