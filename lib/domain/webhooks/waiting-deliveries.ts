import { and, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { webhookDeliveries } from "@/db/schema";

/** The error of a delivery that was ended unsent. */
export const switchedOff = "The webhook was switched off.";

/** Ends what waits for webhooks that are switched off; what is under way ends by its own result. */
export async function endWaitingDeliveries(
  executor: Executor,
  webhookIds: readonly string[],
): Promise<void> {
  await executor
    .update(webhookDeliveries)
    .set({
      status: "FAILED",
      dueAt: null,
      error: sql`coalesce(${webhookDeliveries.error}, ${switchedOff})`,
    })
    .where(
      and(
        inArray(webhookDeliveries.webhookId, [...webhookIds]),
        isNotNull(webhookDeliveries.dueAt),
        isNull(webhookDeliveries.leaseId),
      ),
    );
}
