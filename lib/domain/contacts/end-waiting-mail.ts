import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { assignments, insertSelected, newIdOf } from "@/db/names";
import { emailEvents, emailQueue, emails } from "@/db/schema";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import type { failureData } from "@/lib/ground/events/failure-data";
import { queuedIn } from "@/lib/ground/queue/email-queue";

/**
 * Mail that waits ends as FAILED, with its event, figures and webhook deliveries; what is being handed over is left.
 *
 * @param pending a select of ids of emails that are PENDING
 */
export async function endWaitingMail(
  executor: Executor,
  pending: SQL,
  failure: ReturnType<typeof failureData>,
): Promise<void> {
  await executor.execute(sql`
    with pending as materialized (${pending}
    ), gone as (
      delete from ${emailQueue}
      where ${queuedIn("pending", "id")} and ${emailQueue.leaseId} is null
      returning ${emailQueue.emailId}, ${emailQueue.attempts}
    ), stopped as (
      update ${emails} set ${assignments(emails, {
        status: sql`'FAILED'`,
        attempts: sql`gone.attempts`,
      })}
      from gone where ${emails.id} = gone.email_id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant},
        1 as settled, 1 as failed
    ), counted as (${addFigures("stopped", ["settled", "failed"], { variants: true })}
    ), event as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'failed'`,
        data: sql`${JSON.stringify(failure)}::jsonb`,
      })} from stopped
      returning ${emailEventColumns}
    ), deliveries as (${emailEventDeliveries(sql`event`)})
    select ${wakeDeliveries(sql`deliveries`)}`);
}
