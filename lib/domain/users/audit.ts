import { eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { insertSelected, newIdOf } from "@/db/names";
import { auditLog, loginTokens, memberships, platformTokens, users } from "@/db/schema";
import type { AuditAction } from "@/db/audit-actions";
import type { LoginTokenPurpose } from "@/db/enums";
import type { Actor, Origin } from "@/lib/ground/context";
import { isOpenHere } from "@/lib/ground/queue/resting-projects";
import { sha256 } from "@/lib/ground/secrets";
import { encodeId } from "@/lib/ground/ids/ids";

export interface UserAct {
  action: AuditAction;
  /** Who did it; the system where it is not known to be the user. */
  actor: Actor;
  /** uuid: the one project it concerns; absent: the user's account, and so each of their projects. */
  projectId?: string | null;
  details: Record<string, unknown>;
  origin?: Origin | undefined;
  requestId: string;
}

/**
 * Records events of a user's account, such as signing in, in the audit log of each project they belong to, which is
 * where those responsible for the projects look. If they have no project, it is logged under none.
 */
export async function auditUser(db: Executor, userId: string, act: UserAct): Promise<void> {
  const { action, actor, projectId = null, details, origin, requestId } = act;
  await db.execute(sql`
    ${insertSelected(auditLog, {
      id: newIdOf(sql`${memberships.projectId}`),
      projectId: sql`${memberships.projectId}`,
      actorType: sql`${actor.type}`,
      actorId: sql`${actor.id}::uuid`,
      action: sql`${action}`,
      target: sql`${encodeId("user", userId)}`,
      details: sql`${JSON.stringify(details)}::jsonb`,
      address: sql`${origin?.address ?? null}`,
      userAgent: sql`${origin?.userAgent ?? null}`,
      requestId: sql`${requestId}`,
    })}
    from ${users} left join ${memberships} on ${memberships.userId} = ${users.id}
      and (${projectId}::uuid is null or ${memberships.projectId} = ${projectId}::uuid)
      and ${isOpenHere(memberships.projectId)}
    where ${users.id} = ${userId}`);
}

/**
 * Records that somebody used a one-time link that does not work: used before, expired or made for something else. A
 * link that never existed identifies nobody and leaves no trace.
 */
export async function auditRefusedLink(
  db: Executor,
  { token, purpose }: { token: string; purpose: LoginTokenPurpose },
  { requestId, ...origin }: Partial<Origin> & { requestId: string },
): Promise<void> {
  const [link] = await db
    .select({
      userId: loginTokens.userId,
      purpose: loginTokens.purpose,
      used: sql<boolean>`${loginTokens.usedAt} is not null`,
      projectId: platformTokens.projectId,
    })
    .from(loginTokens)
    .leftJoin(platformTokens, eq(platformTokens.id, loginTokens.platformTokenId))
    .where(eq(loginTokens.hash, sha256(token).toString("hex")));
  if (!link) return;
  const reason = link.purpose !== purpose ? "otherPurpose" : link.used ? "used" : "expired";
  const { address, userAgent = "" } = origin;
  await auditUser(db, link.userId, {
    action: "refuse.session",
    actor: { type: "system", id: null },
    projectId: link.projectId,
    details: { by: "link", purpose: link.purpose, reason },
    origin: address === undefined ? undefined : { address, userAgent },
    requestId,
  });
}
