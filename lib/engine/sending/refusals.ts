import { sql, type SQL } from "drizzle-orm";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventDeliveries } from "@/lib/ground/events/emit";

/*
 * Who may not get what was once addressed to them. The rows asked about come from a CTE with the columns
 * id, project_id, campaign_id, contact_id, recipient, source, status, sent_at of emails, and list_id (of the
 * campaign; null without). A refusal ends the email: FAILED, or left as it is where a report of it (an
 * open, a bounce) came in although nobody wrote down that it was handed over: `reported`.
 */

/** SQL joins that refusalOf reads; `contacts` and `subscribers` may be read beside it. */
export function refusalJoins(cte: string): SQL {
  return sql.raw(`
    left join contacts on contacts.id = ${cte}.contact_id
    left join suppressions on suppressions.project_id = ${cte}.project_id
      and lower(suppressions.email) = lower(${cte}.recipient)
    left join subscribers on subscribers.list_id = ${cte}.list_id
      and subscribers.contact_id = ${cte}.contact_id`);
}

/** SQL for the reason why the person does not get it; null: they may. */
export function refusalOf(cte: string): SQL {
  return sql.raw(`case
    when ${cte}.status <> 'PENDING' then 'reported'
    when ${cte}.recipient is null then 'deleted'
    when suppressions.reason is not null then suppressions.reason
    when ${cte}.source <> 'CAMPAIGN' then null
    when contacts.consent is distinct from 'subscribed' then 'unsubscribed'
    when ${cte}.list_id is not null and subscribers.status is distinct from 'subscribed'
      then 'unsubscribed'
  end`);
}

/** SQL assignments of an update that ends what `refusal` refuses and leaves status and sent_at else. */
export const refusedColumns = sql.raw(`
  status = case when refusal <> 'reported' then 'FAILED' else emails.status end,
  sent_at = case when refusal = 'reported' then coalesce(emails.sent_at, app_now())
    else emails.sent_at end`);

/**
 * SQL of CTEs that write down what was refused: `changed` has id, project_id, campaign_id, refusal and
 * was_sent_at, the sent_at before.
 */
export function notedRefusals(changed: string): SQL {
  return sql`refused as (
      select id, project_id, campaign_id, refusal, 1 as settled,
        (refusal <> 'reported')::int as failed,
        (refusal = 'reported' and was_sent_at is null)::int as sent
      from ${sql.raw(changed)} where refusal is not null
    ), refusals_noted as (
      insert into email_events (project_id, email_id, name, data)
      select project_id, id, 'suppressed', jsonb_build_object('reason', refusal)
      from refused where failed = 1
      returning id, project_id, email_id, name, data, created_at
    ), refusals_told as (${emailEventDeliveries(sql`refusals_noted`)}
    ), refusals_counted as (${addFigures("refused", ["settled", "sent", "failed"])})`;
}
