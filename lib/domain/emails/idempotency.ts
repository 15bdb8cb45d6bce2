import { and, eq, sql } from "drizzle-orm";
import type { Database, Executor, Transaction } from "@/db/client";
import { idempotencyKeys } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { AppError, invalid } from "@/lib/ground/errors";
import { sha256 } from "@/lib/ground/secrets";

/** A request that may be repeated with the same key. */
export interface IdempotentRequest {
  projectId: string;
  /** In canonical form, such as `POST /v1/send`. */
  route: string;
  key: string;
  body: Uint8Array;
}

export interface Replayable<Result> {
  result: Result;
  /** True when the answer is the stored one of the first request. */
  replayed: boolean;
}

/** CONFLICT about a request's Idempotency-Key, whose first request may still be `running`. */
export class KeyConflict extends AppError {
  readonly isKeyConflict = true;

  constructor(readonly running: boolean) {
    super(
      "CONFLICT",
      running
        ? "A request with this Idempotency-Key is still running."
        : "This Idempotency-Key was used with another request body.",
    );
  }
}

export function isKeyConflict(error: AppError): error is KeyConflict {
  return "isKeyConflict" in error;
}

/** The name under which a route's keys are stored: a live key must not get the answer to what a test key sent. */
export function routeOf(ctx: { testMode: boolean }, route: string): string {
  return ctx.testMode ? `test ${route}` : route;
}

/** An Idempotency-Key as it is; throws VALIDATION_ERROR. */
export function checkIdempotencyKey(key: string): string {
  if (!/^[\x20-\x7e]{1,256}$/.test(key)) {
    throw invalid("Idempotency-Key", "is 1 to 256 printable ASCII characters");
  }
  return key;
}

/** The Idempotency-Key header's value, or null without one; throws VALIDATION_ERROR. */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  return key === null ? null : checkIdempotencyKey(key);
}

/** The answer kept for the key; null when there is none. Throws CONFLICT for another body. */
export async function findKept<Result>(
  executor: Executor,
  { projectId, route, key, body }: IdempotentRequest,
): Promise<Replayable<Result> | null> {
  const [kept] = await executor
    .select({
      same: sql<boolean>`${idempotencyKeys.bodyHash} = ${sha256(body)}`,
      response: idempotencyKeys.response,
    })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.projectId, projectId),
        eq(idempotencyKeys.route, route),
        eq(idempotencyKeys.key, key),
        sql`${idempotencyKeys.createdAt} > app_now() - interval '24 hours'`,
      ),
    );
  if (!kept) return null;
  if (!kept.same) {
    throw new KeyConflict(false);
  }
  return { result: JSON.parse(kept.response) as Result, replayed: true };
}

/**
 * Runs `work` in a transaction and keeps its result for 24 hours under the key, in that same transaction: a failed
 * request leaves no trace and can be sent again. Throws CONFLICT when the key was used with another body, or while
 * the first request with it is still running.
 */
export async function onceWithin24Hours<Result>(
  db: Database,
  request: IdempotentRequest,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Replayable<Result>> {
  const { projectId, route, key } = request;
  return db.transaction(async (tx) => {
    const [{ locked } = { locked: false }] = await tx.execute<{ locked: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtextextended(
        ${projectId} || ' ' || ${route} || ' ' || ${key}, 7243)) as locked`);
    if (!locked) throw new KeyConflict(true);
    const kept = await findKept<Result>(tx, request);
    if (kept) return kept;
    const result = await work(tx);
    const answer = { bodyHash: sha256(request.body), response: JSON.stringify(result) };
    await tx
      .insert(idempotencyKeys)
      .values({ projectId, route, key, ...answer })
      .onConflictDoUpdate({
        target: [idempotencyKeys.projectId, idempotencyKeys.route, idempotencyKeys.key],
        set: { ...answer, createdAt: now },
      });
    return { result, replayed: false };
  });
}
