import { sql, type SQL } from "drizzle-orm";
import { fixed, insertSelected, newIdOf } from "@/db/names";
import { failureData } from "@/lib/ground/events/failure-data";
import {
  campaigns,
  contacts,
  emailEvents,
  emails,
  mergedContacts,
  subscribers,
  topicDepartures,
} from "@/db/schema";
import { joinedReason, suppressionJoins } from "@/lib/domain/contact-states/suppressed";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries } from "@/lib/ground/events/emit";

/*
 * Decides who may no longer get mail addressed to them. The rows asked about come from a CTE with the columns id,
 * project_id, campaign_id, contact_id, recipient, source, status, sent_at of emails, and list_id (of the campaign;
 * null without), and late: its deadline has passed. A refusal ends the email: FAILED, or left as it is if a report
 * (an open, a bounce) arrived although nobody recorded the hand-over: `reported`.
 */

/** SQL joins that refusalOf reads; `contacts` and `subscribers` may be read beside it. */
export function refusalJoins(cte: string): SQL {
  const asked = sql.identifier(cte);
  return fixed(sql`
    left join ${contacts} on ${contacts.id} = ${asked}.contact_id
    ${suppressionJoins(sql`${asked}.project_id`, sql`${asked}.recipient`)}
    left join ${subscribers} on ${subscribers.listId} = ${asked}.list_id
      and ${subscribers.contactId} = ${asked}.contact_id`);
}

/** SQL for the reason why the person must not get it; null when they may. */
export function refusalOf(cte: string): SQL {
  const asked = sql.identifier(cte);
  return fixed(sql`case
    when ${asked}.status <> 'PENDING' then 'reported'
    when ${asked}.recipient is null then 'deleted'
    -- Accepted while they were being deleted.
    when ${contacts.id} is null and ${asked}.contact_id is not null
      and not exists (select from ${mergedContacts}
        where ${mergedContacts.contactId} = ${asked}.contact_id) then 'deleted'
    when ${joinedReason} is not null then ${joinedReason}
    when ${asked}.late then 'too_late'
    when ${asked}.source <> 'CAMPAIGN' then null
    when ${contacts.consent} is distinct from 'subscribed' then 'unsubscribed'
    when ${asked}.list_id is not null and ${subscribers.status} is distinct from 'subscribed'
      then 'unsubscribed'
    when ${contacts.pausedUntil} > app_now() then 'paused'
    when exists (select from ${campaigns} join ${topicDepartures}
        on ${topicDepartures.topicId} = ${campaigns.topicId}
        and ${topicDepartures.contactId} = ${asked}.contact_id
      where ${campaigns.id} = ${asked}.campaign_id) then 'left_topic'
  end`);
}

/** Assignments for an update of emails that ends what `refusal` refuses, and otherwise leaves status and sent_at. */
export const refusedColumns = {
  status: sql`case when refusal <> 'reported' then 'FAILED' else ${emails.status} end`,
  sentAt: sql`case when refusal = 'reported' then coalesce(${emails.sentAt}, app_now())
    else ${emails.sentAt} end`,
};

/**
 * SQL of CTEs that write down what was refused: `changed` has id, project_id, campaign_id, variant,
 * refusal and was_sent_at, the sent_at before.
 */
export function notedRefusals(changed: string): SQL {
  return fixed(sql`refused as (
      select id, project_id, campaign_id, variant, refusal, 1 as settled,
        (refusal <> 'reported')::int as failed,
        (refusal = 'reported' and was_sent_at is null)::int as sent
      from ${sql.identifier(changed)} where refusal is not null
    ), refusals_noted as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`case refusal when 'too_late' then 'failed' else 'suppressed' end`,
        data: sql`case refusal when 'too_late' then ${sql.raw(`'${JSON.stringify(failureData("too_late"))}'`)}::jsonb
          else jsonb_build_object('reason', refusal) end`,
      })}
      from refused where failed = 1
      returning ${emailEventColumns}
    ), refusals_told as (${emailEventDeliveries(sql`refusals_noted`)}
    ), refusals_counted as (${addFigures("refused", ["settled", "sent", "failed"], { variants: true })})`);
}
