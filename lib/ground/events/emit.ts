import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { columns, fixed, insertSelected, newIdOf } from "@/db/names";
import { contacts, emailEvents, webhookDeliveries, webhooks } from "@/db/schema";
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
 * For transactions that are rare: a select item that wakes the workers when the CTE `deliveries` made any. Evaluated once, whatever the
 * number of rows it stands beside.
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

/** What a CTE that writes email events returns, for emailEventDeliveries. */
export const emailEventColumns = fixed(
  columns(
    ...[emailEvents.id, emailEvents.projectId, emailEvents.emailId],
    ...[emailEvents.name, emailEvents.data, emailEvents.createdAt],
  ),
);

/**
 * The body of a CTE that makes deliveries of email events, for statements that do everything in one
 * round trip. `events` names a relation with the columns of email_events (an insert's
 * `returning ${emailEventColumns}`). Select `wakeDeliveries` of it beside the result.
 */
export function emailEventDeliveries(events: SQL): SQL {
  const event = sql`'email.' || case told.name when 'suppressed' then 'failed' else told.name end`;
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
    where told.name not in ('queued', 'unsubscribed')
    returning 1 as made`;
}

/**
 * The same for events of contacts. `contacts` names a relation with `project_id`, `event` (such as
 * contact.created), `more` (jsonb: an empty object, or what stands beside the contact's fields under that
 * key) and the contact's columns as they are after the change.
 */
export function contactEventDeliveries(contacts: SQL): SQL {
  return sql`
    ${insertSelected(webhookDeliveries, {
      id: newIdOf(sql`told.project_id`),
      projectId: sql`told.project_id`,
      webhookId: sql`${webhooks.id}`,
      eventId: sql`told.event_id`,
      event: sql`told.event`,
      subjectId: sql`told.id`,
      data: sql`jsonb_build_object(
        'id', told.id, 'email', told.email, 'first_name', told.first_name,
        'last_name', told.last_name, 'consent', told.consent, 'tags', told.tags, 'data', told.data,
        'created_at', told.created_at, 'updated_at', told.updated_at) || told.more`,
    })}
    from (
      -- One id per event, whatever the number of endpoints; none is made where nobody listens.
      select ${newIdOf(sql`c.project_id`)} as event_id, c.* from ${contacts} c
      where exists (select from ${webhooks}
        where ${webhooks.projectId} = c.project_id and ${webhooks.enabled}) offset 0
    ) told join ${webhooks} on ${listening(sql`told.event`)}
    returning 1 as made`;
}

/**
 * Makes a delivery for each enabled webhook that subscribes to an event: one statement, in the caller's
 * transaction, so that the event is told exactly when it happened.
 */
export async function emitEvents(executor: Executor, events: readonly EmittedEvent[]) {
  if (events.length === 0) return;
  await executePrepared(
    executor,
    sql`
    with told as (
      select * from unnest(
        ${sql.param(events.map(({ projectId }) => newId(projectId)))}::uuid[],
        ${sql.param(events.map((event) => event.projectId))}::uuid[],
        ${sql.param(events.map((event) => event.type))}::text[],
        ${sql.param(events.map((event) => JSON.stringify(event.data)))}::text[]
      ) as given(id, project_id, event, data)
    ), deliveries as (
      ${insertSelected(webhookDeliveries, {
        id: newIdOf(sql`told.project_id`),
        projectId: sql`told.project_id`,
        webhookId: sql`${webhooks.id}`,
        eventId: sql`told.id`,
        event: sql`told.event`,
        data: sql`told.data::jsonb`,
      })}
      from told join ${webhooks} on ${listening(sql`told.event`)}
      returning 1 as made
    )
    select ${wakeDeliveries(sql`deliveries`)}`,
  );
}

/**
 * Events of contacts as they now stand in their table; ids are uuids, `data` stands beside the contact's
 * fields. Else like emitEvents.
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
  await executePrepared(
    executor,
    sql`
    with told as (
      select given.event, given.more::jsonb as more, ${contacts}.* from unnest(
        ${sql.param(events.map((event) => event.contactId))}::uuid[],
        ${sql.param(events.map((event) => event.type))}::text[],
        ${sql.param(events.map(({ data }) => JSON.stringify(data ? { more: data } : {})))}::text[]
      ) as given(contact_id, event, more)
      join ${contacts} on ${contacts.id} = given.contact_id and ${contacts.projectId} = ${projectId}
      where exists (select from ${webhooks}
        where ${webhooks.projectId} = ${projectId} and ${webhooks.enabled})
    ), deliveries as (${contactEventDeliveries(sql`told`)})
    select ${wakeDeliveries(sql`deliveries`)}`,
  );
}
