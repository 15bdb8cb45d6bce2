import { sql } from "drizzle-orm";
import { executePrepared, type Database, type Executor } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { emails } from "@/db/schema";
import { announce } from "@/lib/ground/queue/announce";
import type { Visitor } from "./machines";
import { lockedInOrder, visitsStatement } from "./statement";

/** A pixel that was fetched, or a link that was followed. */
export interface Visit {
  /** uuid */
  emailId: string;
  /** null: the pixel. `links`: how many different ones the email has. */
  link: { id: bigint; url: string; links: number } | null;
  visitor: Visitor;
}

/**
 * Records opens and clicks, all in one go: counters, first times and status of their emails, events, figures,
 * webhooks. What machines do is counted separately and does not change the email; clicks just before the one that
 * gives a machine away are no longer counted as the person's. Visits to emails that are gone change nothing.
 */
export async function recordVisits(db: Database, visits: readonly Visit[]): Promise<void> {
  const record = (executor: Executor) =>
    executePrepared<{ told: boolean }>(executor, visitsStatement(visits));
  const mayBeBurst = visits.some(({ link }) => link !== null && link.links > 1);
  const [recorded] = await retryConflicts(async () => {
    if (!mayBeBurst) return record(db);
    return db.transaction(async (tx) => {
      // A statement sees what was there when it began, so anything another process is recording for the same emails
      // has to be waited for first.
      await executePrepared(tx, sql`select from ${emails} ${lockedInOrder(visits)}`);
      return record(tx);
    });
  });
  if (recorded?.told) announce(db, "webhooks_due");
}
