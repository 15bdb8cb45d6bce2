import type { Transaction } from "@/db/client";
import { limitStatements, tookTooLong } from "@/db/time-limit";
import { ByteBudget } from "./byte-budget";
import type { Context } from "./context";
import { env } from "./env/env";
import { AppError } from "./errors";
import { onReplica } from "./replica";

/** What becomes of work whose turn does not come. */
interface Patience<Result> {
  /** How long it waits for its turn. */
  milliseconds: number;
  instead: () => Promise<Result>;
}

/** Its caller is told to come back. */
const patient: Patience<never> = {
  milliseconds: 30_000,
  instead: () =>
    Promise.reject(
      new AppError(
        "UNAVAILABLE",
        "Too many questions that take long are being asked at once. Ask this one again in a few seconds.",
      ),
    ),
};

// Next bundles modules more than once: this is the process's.
const holder = globalThis as { lettermillSlowReads?: ByteBudget };

/** One for each connection that may be held for seconds: half of the process's, and half of those for one project. */
function slots(): ByteBudget {
  const capacity = Math.max(1, Math.floor(env().DATABASE_POOL / 2));
  return (holder.lettermillSlowReads ??= new ByteBudget({
    ...{ capacity, smallCapacity: 0, largestSmall: 0 },
  }));
}

/**
 * Work on behalf of a project (uuid) that holds a connection for seconds, in turn with others' of its kind: whoever
 * asks for much at once does not keep the others from the database. Throws UNAVAILABLE when its turn does not come,
 * unless something else is done instead.
 */
export async function inTurn<Result>(
  projectId: string,
  work: () => Promise<Result>,
  { milliseconds, instead }: Patience<Result> = patient,
): Promise<Result> {
  const slot =
    slots().tryTake(projectId, 1) ??
    (await slots().take(projectId, 1, AbortSignal.timeout(milliseconds)));
  if (!slot) return instead();
  try {
    return await work();
  } finally {
    slot.release();
  }
}

/** A read that may take long, and what is written of it, in its turn: each of its statements for `seconds` at most, see `tookTooLong`. */
export function slowRead<Result>(
  { db, projectId }: Pick<Context, "db" | "projectId">,
  seconds: number,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTurn(projectId, () =>
    db.transaction(async (tx) => {
      await limitStatements(tx, seconds);
      return read(tx);
    }),
  );
}

/** One stretch of an export takes this long at most: behind a filter, little may be found in much that is read. */
const exportSeconds = 30;

/**
 * Reads a stretch of an export, on the replica where there is one, in its turn. Throws CONFLICT when that takes too
 * long, UNAVAILABLE when its turn does not come.
 */
export async function exportRead<Result>(
  ctx: Context,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await onReplica(ctx, (reading) => slowRead(reading, exportSeconds, read));
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    throw new AppError(
      "CONFLICT",
      "Reading what is to be exported took too long. Export less at once, for instance a segment.",
    );
  }
}
