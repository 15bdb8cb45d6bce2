import { sql } from "drizzle-orm";
import { emailQueue } from "@/db/schema";
import type { Context } from "@/lib/ground/context";

/** As much of the queue is read to see what of it is the project's. */
const mostQueued = 20_000;
/** As many of its emails are looked up and sorted; where more wait, the log is full of them. */
const mostWaiting = 2_000;

/**
 * The project's emails (uuids) that may be PENDING: none waits without its row in the queue. null where the queue is
 * long: it has no order by project, which every email would pay for.
 */
export async function fewWaiting({ db, projectId }: Context): Promise<string[] | null> {
  const [row] = await db.execute<{ queued: number; waiting: string[] }>(sql`
    with queued as materialized (
      select ${emailQueue.emailId}, ${emailQueue.projectId} from ${emailQueue} limit ${mostQueued + 1}::int
    )
    select (select count(*)::int from queued) as queued, array(
      select queued.email_id from queued where queued.project_id = ${projectId} limit ${mostWaiting + 1}::int
    ) as waiting`);
  if (!row || row.queued > mostQueued || row.waiting.length > mostWaiting) return null;
  return row.waiting;
}
