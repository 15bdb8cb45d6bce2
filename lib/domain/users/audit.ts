import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { AuditAction } from "@/db/enums";
import type { Actor, Origin } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";

export interface UserAct {
  action: AuditAction;
  /** Who did it; the system when it is not known to be the user. */
  actor: Actor;
  /** uuid: the one project it concerns; absent: the user's account, and so each of their projects. */
  projectId?: string | null;
  details: Record<string, unknown>;
  origin?: Origin | undefined;
  requestId: string;
}

/**
 * Records what concerns a user's account, as signing in, in the audit log of each project they belong to:
 * that is where those answerable for the projects look. Without any project it stands under none.
 */
export async function auditUser(db: Executor, userId: string, act: UserAct): Promise<void> {
  const { action, actor, projectId = null, details, origin, requestId } = act;
  await db.execute(sql`
    insert into audit_log (id, project_id, actor_type, actor_id, action, target, details,
      address, user_agent, request_id)
    select new_id(), m.project_id, ${actor.type}, ${actor.id}::uuid, ${action}, ${encodeId("user", userId)},
      ${JSON.stringify(details)}::jsonb, ${origin?.address ?? null}, ${origin?.userAgent ?? null}, ${requestId}
    from users u left join memberships m on m.user_id = u.id
      and (${projectId}::uuid is null or m.project_id = ${projectId}::uuid)
    where u.id = ${userId}`);
}
