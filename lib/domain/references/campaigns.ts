import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns } from "@/db/schema";
import { AppError } from "@/lib/ground/errors";

const columns = {
  segment: campaigns.segmentId,
  list: campaigns.listId,
  template: campaigns.templateId,
};

/**
 * Throws CONFLICT while a campaign that is scheduled or under way uses the segment, list or template
 * (uuid). The caller locks its row: a campaign that is being sent reads it under a lock, too.
 */
export async function refuseWhileUsed(
  executor: Executor,
  projectId: string,
  kind: keyof typeof columns,
  id: string,
): Promise<void> {
  const [campaign] = await executor
    .select({ name: campaigns.name, status: campaigns.status })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, projectId),
        inArray(campaigns.status, ["SCHEDULED", "SENDING", "PAUSED"]),
        eq(columns[kind], id),
      ),
    )
    .orderBy(asc(campaigns.id))
    .limit(1);
  if (campaign) {
    throw new AppError(
      "CONFLICT",
      `The ${kind} is used by the campaign "${campaign.name}", which is ${campaign.status}.`,
    );
  }
}

/**
 * Throws CONFLICT while a campaign's audience is being selected with the segment's (uuid) filter: a changed filter
 * would apply to the rest of it. The caller locks the segment's row.
 */
export async function refuseWhileChoosing(
  executor: Executor,
  projectId: string,
  segmentId: string,
): Promise<void> {
  const [campaign] = await executor
    .select({ name: campaigns.name })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, projectId),
        inArray(campaigns.status, ["SENDING", "PAUSED"]),
        eq(campaigns.segmentId, segmentId),
        isNull(campaigns.audienceDoneAt),
      ),
    )
    .orderBy(asc(campaigns.id))
    .limit(1);
  if (campaign) {
    throw new AppError(
      "CONFLICT",
      `The campaign "${campaign.name}" is selecting its audience with this filter: change it once that is done.`,
    );
  }
}
