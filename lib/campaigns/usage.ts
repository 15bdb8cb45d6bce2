import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { AppError } from "@/lib/errors";

const columns = {
  segment: sql`segment_id`,
  list: sql`list_id`,
  template: sql`template_id`,
};

/**
 * Throws CONFLICT while a campaign that is scheduled or under way is made of the segment, list or template
 * (uuid). Its row is to be locked by the caller: a campaign that is being sent reads it under a lock, too.
 */
export async function refuseWhileUsed(
  executor: Executor,
  projectId: string,
  kind: keyof typeof columns,
  id: string,
): Promise<void> {
  const [campaign] = await executor.execute<{ name: string; status: string }>(sql`
    select name, status from campaigns
    where project_id = ${projectId} and status in ('SCHEDULED', 'SENDING', 'PAUSED')
      and ${columns[kind]} = ${id}
    order by id limit 1`);
  if (campaign) {
    throw new AppError(
      "CONFLICT",
      `The ${kind} is used by the campaign "${campaign.name}", which is ${campaign.status}.`,
    );
  }
}
