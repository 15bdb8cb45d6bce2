import { and, eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { emitEvents } from "@/lib/ground/events/emit";
import { encodeId } from "@/lib/ground/ids/ids";

/** Pauses a campaign whose mail cannot be made, or is refused, for every recipient; resuming sends the rest. */
export async function pauseRefused(
  db: Database,
  campaignId: string,
  reason: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [paused] = await tx
      .update(campaigns)
      .set({ status: "PAUSED", pausedAt: now, failureReason: reason, updatedAt: now })
      .where(and(eq(campaigns.id, campaignId), eq(campaigns.status, "SENDING")))
      .returning({ projectId: campaigns.projectId, name: campaigns.name });
    if (!paused) return;
    const data = { campaignId: encodeId("campaign", campaignId), name: paused.name, reason };
    await emitEvents(tx, [{ projectId: paused.projectId, type: "campaign.paused", data }]);
  });
}
