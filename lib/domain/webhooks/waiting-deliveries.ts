import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";

/** What a delivery says that was ended unsent. */
export const switchedOff = "The webhook was switched off.";

/** Ends what waits for webhooks that are switched off; what is under way ends by its own result. */
export async function endWaitingDeliveries(
  executor: Executor,
  webhookIds: readonly string[],
): Promise<void> {
  await executor.execute(sql`
    update webhook_deliveries set status = 'FAILED', due_at = null,
      error = coalesce(error, ${switchedOff})
    where webhook_id = any(${sql.param(webhookIds)}::uuid[]) and due_at is not null
      and lease_id is null`);
}
