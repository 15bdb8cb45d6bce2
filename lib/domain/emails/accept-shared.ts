import type { Database } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { coalesceFor } from "@/lib/ground/coalesce";
import { isAppError } from "@/lib/ground/errors";
import { metrics } from "@/lib/ground/metrics/metrics";
import { announce } from "@/lib/ground/queue/announce";
import { acceptUnits, type Accepted, type AcceptMessage, type AcceptUnit } from "./accept";
import { acceptWithContent } from "./accept-with-content";

/** The most a unit may carry and still share a transaction: a full batch of such units is 16 MB. */
const largestSharedBytes = 256 * 1024;
const accept = coalesceFor(acceptGroup, { concurrency: 2, largestBatch: 64 });

const attachmentsOf = ({ messages }: AcceptUnit) =>
  messages.flatMap(({ attachments }) => attachments);

/** Whether a unit's content is small enough that others need not wait for it. */
export function mayShare(unit: AcceptUnit): boolean {
  const attached = attachmentsOf(unit).reduce((sum, { content }) => sum + content.byteLength, 0);
  return (
    unit.messages.reduce((sum, message) => sum + written(message), attached) <= largestSharedBytes
  );
}

function written({ html, text, data, headers, metadata }: AcceptMessage): number {
  const named = JSON.stringify([data, headers, metadata]).length;
  return (html?.length ?? 0) + (text?.length ?? 0) + named;
}

/**
 * Accepts a unit together with those of other requests that arrive while the database is busy: many
 * requests share one statement and one commit. Throws the unit's AppError.
 */
export async function acceptShared(db: Database, unit: AcceptUnit): Promise<Accepted> {
  const result = await accept(db, unit);
  if (result instanceof Error) throw result;
  countAccepted(unit);
  announce(db, "emails_due");
  return result;
}

/** To be called after the commit. */
export function countAccepted({ messages }: AcceptUnit): void {
  for (const { source, to } of messages) metrics.accepted.inc({ source }, to.length);
}

function acceptTogether(db: Database, units: AcceptUnit[]): Promise<(Accepted | Error)[]> {
  const carrying = units.some((unit) => attachmentsOf(unit).length > 0);
  // Without content it is one statement, which needs no transaction around it.
  return retryConflicts(() =>
    carrying ? db.transaction((tx) => acceptWithContent(tx, units)) : acceptUnits(db, units),
  );
}

async function acceptGroup(db: Database, units: AcceptUnit[]): Promise<(Accepted | Error)[]> {
  const alone = (unit: AcceptUnit) =>
    acceptTogether(db, [unit]).then(([result]) => result as Accepted | Error);
  let results: (Accepted | Error)[];
  try {
    results = await acceptTogether(db, units);
  } catch (error) {
    // One unit's fault must not refuse its neighbours.
    if (units.length === 1) throw error;
    const settled = await Promise.allSettled(units.map(alone));
    return settled.map((one) => (one.status === "fulfilled" ? one.value : (one.reason as Error)));
  }
  if (units.length === 1) return results;
  // Together they exceeded the month's limit; some may still fit on their own.
  for (const [index, result] of results.entries()) {
    const unit = units[index];
    if (unit && isAppError(result) && result.code === "PAYMENT_REQUIRED") {
      results[index] = await alone(unit);
    }
  }
  return results;
}
