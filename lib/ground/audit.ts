import type { Executor } from "@/db/client";
import { auditLog } from "@/db/schema";
import type { Context } from "./context";

/**
 * Records who did what, through the executor that does it: pass the transaction, so that neither is
 * committed without the other. `action` is `verb.noun`, `target` a wire id; no secrets in `details`.
 */
export async function audit(
  executor: Executor,
  ctx: Pick<Context, "projectId" | "actor" | "requestId">,
  action: `${string}.${string}`,
  target: string | null,
  details: Record<string, unknown> = {},
): Promise<void> {
  await executor.insert(auditLog).values({
    projectId: ctx.projectId,
    actorType: ctx.actor.type,
    actorId: ctx.actor.id,
    action,
    target,
    details,
    requestId: ctx.requestId,
  });
}
