import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { webhookDeliveries } from "@/db/schema";

/**
 * Takes out of deliveries what they told of erased subjects (SQL of an array of uuids), and what endpoints answered;
 * an answer that is still to come is not kept.
 */
export async function eraseDeliveries(executor: Executor, subjects: SQL): Promise<void> {
  await executor
    .update(webhookDeliveries)
    .set({ data: {}, responseBody: null, erased: true })
    .where(sql`${webhookDeliveries.subjectId} = any(${subjects})`);
}
