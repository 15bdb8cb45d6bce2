import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { assignments, insertSelected } from "@/db/names";
import { emailEvents, emails } from "@/db/schema";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { failureData } from "@/lib/ground/events/failure-data";
import { suspect } from "./claim";

/** The last of these attempts are made alone, so that it can take down nothing but itself. */
const mostUnfinishedClaims = 5;

/**
 * Ends mail that was claimed five times and never came to a result: FAILED, so that it takes no further
 * worker down. Resolves to whether other mail is due that a worker has died with twice.
 */
export async function endHopeless(db: Database, expiredSeconds: number): Promise<boolean> {
  const expired = sql`${emails.dueAt} <= app_now() - make_interval(secs => ${expiredSeconds}::float8)`;
  const [row] = await executePrepared<{ waits: boolean }>(
    db,
    sql`
    with hopeless as materialized (
      select ${emails.id}, ${emails.status} from ${emails}
      where ${suspect} and ${expired}
        and ${emails.unfinishedClaims} >= ${mostUnfinishedClaims - 1}
      for update skip locked
    ), ended as (
      update ${emails} set ${assignments(emails, {
        status: sql`case when hopeless.status = 'PENDING' then 'FAILED' else hopeless.status end`,
        dueAt: sql`null`,
        leaseId: sql`null`,
      })}
      from hopeless where ${emails.id} = hopeless.id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, 1 as settled,
        (hopeless.status = 'PENDING')::int as failed
    ), noted as (
      ${insertSelected(emailEvents, {
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
      select from ${emails} where ${suspect} and ${expired}
        and ${emails.unfinishedClaims} < ${mostUnfinishedClaims - 1}
    ) as waits`,
  );
  return row?.waits ?? false;
}
