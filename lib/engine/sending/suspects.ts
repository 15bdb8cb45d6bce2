import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { assignments, insertSelected, newIdOf } from "@/db/names";
import { emailEvents, emailQueue, emails } from "@/db/schema";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { failureData } from "@/lib/ground/events/failure-data";
import { queuedIn } from "@/lib/ground/queue/email-queue";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { suspect, suspectsOf } from "./claim-statement";
import type { Part } from "./part";

/** The last of these attempts are made alone, so that the email can take down nothing but itself. */
const mostUnfinishedClaims = 5;

/**
 * Ends mail that was claimed five times without ever producing a result: FAILED, so that it takes down no further
 * workers. Resolves to whether there is other mail that a worker has died with twice and that may be claimed: what nobody
 * may send, such as a paused campaign's, must not make workers clear the way for it again and again.
 */
export async function endHopeless(
  db: Database,
  { expiredSeconds, part }: { expiredSeconds: number; part: Part },
): Promise<boolean> {
  const expired = sql`${emailQueue.leaseUntil} <= app_now() - make_interval(secs => ${expiredSeconds}::float8)`;
  const [row] = await executePrepared<{ waits: boolean }>(
    db,
    sql`
    with hopeless as materialized (
      select ${emailQueue.emailId}, ${emails.status}
      from ${emailQueue} join ${emails} on ${emails.id} = ${emailQueue.emailId}
      where ${suspect} and ${expired}
        and ${emailQueue.unfinishedClaims} >= ${mostUnfinishedClaims - 1}
        and ${worksHere(emailQueue.projectId)}
      for update of ${emailQueue} skip locked
    ), gone as (
      delete from ${emailQueue} using hopeless
      where ${queuedIn("hopeless", "email_id")} and ${emailQueue.emailId} = hopeless.email_id
      returning hopeless.*, ${emailQueue.attempts}
    ), ended as (
      update ${emails} set ${assignments(emails, {
        status: sql`case when gone.status = 'PENDING' then 'FAILED' else gone.status end`,
        attempts: sql`gone.attempts`,
      })}
      from gone where ${emails.id} = gone.email_id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, 1 as settled,
        (gone.status = 'PENDING')::int as failed
    ), noted as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'failed'`,
        data: sql`${JSON.stringify(failureData("unfinished"))}::jsonb`,
      })}
      from ended where failed = 1
      returning ${emailEventColumns}
    ), deliveries as (${emailEventDeliveries(sql`noted`)}
    ), counted as (${addFigures("ended", ["settled", "failed"], { variants: true })})
    select ${wakeDeliveries(sql`deliveries`)} as woken, exists (
      select from ${suspectsOf({ expiredSeconds, part })}
        and ${emailQueue.unfinishedClaims} < ${mostUnfinishedClaims - 1}
        and ${worksHere(emailQueue.projectId)}
    ) as waits`,
  );
  return row?.waits ?? false;
}
