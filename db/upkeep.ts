import { sql } from "drizzle-orm";
import type { Transaction } from "./client";

/**
 * A setting of transactions that do what no caller asked for: deleting what has expired, adding up, sealing anew,
 * migrating.
 */
export const upkeepSetting = "lettermill.upkeep";

/**
 * Makes the transaction one of upkeep. A project that is closed while it moves to another database takes such
 * changes (bin/move/fence.ts): the other database does the same for itself.
 */
export async function beginUpkeep(tx: Transaction): Promise<void> {
  await tx.execute(sql`select set_config(${upkeepSetting}, 'on', true)`);
}
