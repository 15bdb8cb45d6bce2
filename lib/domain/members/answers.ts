import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { invitations, memberships, projectDeletions, projects, users } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import type { Origin } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { lockProject } from "@/lib/ground/project-lock";
import type { OwnInvitation } from "./schema";

/** Somebody who has signed in, and so has shown that the address is theirs. */
export interface Invited {
  /** uuid */
  id: string;
  email: string;
}

/** Invitations to this address that can be answered now. */
const answerable = (email: string): SQL | undefined =>
  and(
    sql`lower(${invitations.email}) = lower(${email})`,
    gt(invitations.expiresAt, sql`app_now()`),
    // Sent while its project was being deleted, which has a row until all that it held is gone.
    sql`not exists (select from ${projectDeletions}
      where ${projectDeletions.projectId} = ${invitations.projectId})`,
  );

/** The projects that ask somebody in, the longest waiting first. */
export async function listOwnInvitations(
  db: Executor,
  { email }: Pick<Invited, "email">,
): Promise<OwnInvitation[]> {
  const rows = await db
    .select({
      id: invitations.id,
      name: projects.name,
      role: invitations.role,
      invitedBy: users.email,
    })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.projectId))
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(answerable(email))
    .orderBy(asc(invitations.createdAt));
  return rows.map((row) => ({ ...row, id: encodeId("invitation", row.id) }));
}

/**
 * Makes the person a member, or lets the invitation go. Resolves to the project's wire id. Throws NOT_FOUND for an
 * invitation that is not theirs, has expired or was withdrawn.
 */
export async function answerInvitation(
  db: Database,
  invited: Invited,
  { id, accepts }: { id: string; accepts: boolean },
  { requestId, ...origin }: Origin & { requestId: string },
): Promise<{ projectId: string }> {
  const uuid = decodeId("invitation", id);
  if (!uuid) throw notFound();
  const theirs = and(eq(invitations.id, uuid), answerable(invited.email));
  return db.transaction(async (tx) => {
    const [asked] = await tx
      .select({ projectId: invitations.projectId })
      .from(invitations)
      .where(theirs);
    // Whoever deletes the project or takes the inviter out meanwhile has done so first.
    if (asked) await lockProject(tx, asked.projectId);
    const [row] = await tx.delete(invitations).where(theirs).returning();
    if (!row) {
      throw new AppError(
        "NOT_FOUND",
        "This invitation was withdrawn, has expired or is not for you.",
      );
    }
    const { projectId, role, email } = row;
    if (accepts) {
      await tx
        .insert(memberships)
        .values({ projectId, userId: invited.id, role })
        .onConflictDoNothing();
    }
    const ctx = { projectId, actor: { type: "user", id: invited.id }, requestId, origin } as const;
    await audit(
      tx,
      ctx,
      accepts ? "accept.invitation" : "decline.invitation",
      encodeId("user", invited.id),
      { role, email },
    );
    return { projectId: encodeId("project", projectId) };
  });
}
