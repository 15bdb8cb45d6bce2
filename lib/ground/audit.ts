import type { Executor } from "@/db/client";
import { auditLog } from "@/db/schema";
import type { AuditAction } from "@/db/enums";
import type { Context } from "./context";

/**
 * Records who did what and from where, through the executor that does it: pass the transaction, so that
 * neither is committed without the other. `target` is a wire id; no secrets in `details`.
 */
export async function audit(
  executor: Executor,
  ctx: Pick<Context, "projectId" | "actor" | "requestId" | "origin">,
  action: AuditAction,
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
    address: ctx.origin?.address ?? null,
    userAgent: ctx.origin?.userAgent ?? null,
    requestId: ctx.requestId,
  });
}
