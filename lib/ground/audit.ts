import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { insertSelected, newIdOf } from "@/db/names";
import { auditLog } from "@/db/schema";
import type { AuditAction } from "@/db/audit-actions";
import { newId } from "@/lib/ground/ids/ids";
import type { Context } from "./context";

type Who = Pick<Context, "projectId" | "actor" | "requestId" | "origin">;

/**
 * Records who did what and from where, through the executor that does it: pass the transaction, so that
 * neither is committed without the other. `target` is a wire id; no secrets in `details`.
 */
export async function audit(
  executor: Executor,
  ctx: Who,
  action: AuditAction,
  target: string | null,
  details: Record<string, unknown> = {},
): Promise<void> {
  await executor.insert(auditLog).values({
    id: newId(ctx.projectId),
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

/** One act among several. */
export interface Act {
  ctx: Who;
  action: AuditAction;
  target: string | null;
  details?: Record<string, unknown>;
}

/** The same for several acts, in any projects, in one statement. */
export async function auditAll(executor: Executor, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  const column = (read: (act: Act) => string | null) => sql.param(acts.map(read));
  await executePrepared(
    executor,
    sql`${insertSelected(auditLog, {
      id: newIdOf(sql`given.project_id`),
      projectId: sql`given.project_id`,
      actorType: sql`given.actor_type`,
      actorId: sql`given.actor_id`,
      action: sql`given.action`,
      target: sql`given.target`,
      details: sql`given.details::jsonb`,
      address: sql`given.address`,
      userAgent: sql`given.user_agent`,
      requestId: sql`given.request_id`,
    })}
    from unnest(
      ${column(({ ctx }) => ctx.projectId)}::uuid[],
      ${column(({ ctx }) => ctx.actor.type)}::text[],
      ${column(({ ctx }) => ctx.actor.id)}::uuid[],
      ${column(({ action }) => action)}::text[],
      ${column(({ target }) => target)}::text[],
      ${column(({ details = {} }) => JSON.stringify(details))}::text[],
      ${column(({ ctx }) => ctx.origin?.address ?? null)}::text[],
      ${column(({ ctx }) => ctx.origin?.userAgent ?? null)}::text[],
      ${column(({ ctx }) => ctx.requestId)}::text[]
    ) with ordinality as given(project_id, actor_type, actor_id, action, target, details, address,
      user_agent, request_id, place)
    order by given.place`,
  );
}
