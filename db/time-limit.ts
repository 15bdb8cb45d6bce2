import { sql } from "drizzle-orm";
import type { Transaction } from "./client";
import { sqlState } from "./errors";

/**
 * Gives each further statement of the transaction `seconds` at most, and `lockSeconds` to wait for a lock; one that
 * takes longer fails, see `tookTooLong`.
 */
export async function limitStatements(
  tx: Transaction,
  seconds: number,
  lockSeconds?: number,
): Promise<void> {
  const lockLimit =
    lockSeconds === undefined
      ? sql``
      : sql`, set_config('lock_timeout', ${`${lockSeconds}s`}, true)`;
  await tx.execute(sql`select set_config('statement_timeout', ${`${seconds}s`}, true)${lockLimit}`);
}

/** Whether a statement failed because its time was up. */
export const tookTooLong = (error: unknown): boolean => sqlState(error) === "57014";
