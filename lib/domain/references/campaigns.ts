import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { AppError } from "@/lib/ground/errors";

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

/**
 * Throws CONFLICT while a campaign's audience is being written down by the segment's (uuid) filter: another
 * filter would choose the rest of it. The segment's row is to be locked by the caller.
 */
export async function refuseWhileChoosing(
  executor: Executor,
  projectId: string,
  segmentId: string,
): Promise<void> {
  const [campaign] = await executor.execute<{ name: string }>(sql`
    select name from campaigns
    where project_id = ${projectId} and status in ('SENDING', 'PAUSED')
      and segment_id = ${segmentId} and audience_done_at is null
    order by id limit 1`);
  if (campaign) {
    throw new AppError(
      "CONFLICT",
      `The audience of the campaign "${campaign.name}" is being chosen by this filter: change it after that.`,
    );
  }
}
