import type { Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import type { Context } from "@/lib/ground/context";
import { announce } from "@/lib/ground/queue/announce";
import type { Accepted, AcceptUnit } from "./accept";
import { acceptShared, countAccepted, mayShare } from "./accept-shared";
import { acceptWithContent } from "./accept-with-content";
import {
  findKept,
  onceWithin24Hours,
  routeOf,
  type IdempotentRequest,
  type Replayable,
} from "./idempotency";

/**
 * Accepts a unit with its attachments, at most once if there is an idempotency key. `makeUnit` is not called for a
 * repeated request: by now its template may be gone or its time may have passed. Throws the unit's AppError, and
 * CONFLICT.
 */
export async function acceptOnce<Answer>(
  ctx: Pick<Context, "db" | "projectId" | "testMode">,
  once: Omit<IdempotentRequest, "projectId"> | undefined,
  makeUnit: () => AcceptUnit | Promise<AcceptUnit>,
  toAnswer: (accepted: Accepted) => Answer,
): Promise<Replayable<Answer>> {
  const request = once && {
    ...once,
    route: routeOf(ctx, once.route),
    projectId: ctx.projectId,
  };
  const kept = request && (await findKept<Answer>(ctx.db, request));
  if (kept) return kept;
  const unit = await makeUnit();
  if (!request && mayShare(unit)) {
    return { result: toAnswer(await acceptShared(ctx.db, unit)), replayed: false };
  }
  const acceptAlone = async (tx: Transaction): Promise<Answer> => {
    const [accepted] = await acceptWithContent(tx, [unit]);
    if (!accepted) throw new Error("Accepting lost its unit.");
    if (accepted instanceof Error) throw accepted;
    return toAnswer(accepted);
  };
  const answer = await retryConflicts(() =>
    request
      ? onceWithin24Hours(ctx.db, request, acceptAlone)
      : ctx.db.transaction(async (tx) => ({ result: await acceptAlone(tx), replayed: false })),
  );
  if (!answer.replayed) countAccepted(unit);
  announce(ctx.db, "emails_due");
  return answer;
}
