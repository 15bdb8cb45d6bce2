import { and, asc, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { roleNames, type Role } from "@/db/enums";
import {
  invitations,
  memberships,
  platformTokens,
  secondFactors,
  sessions,
  users,
} from "@/db/schema";
import { askingPerson } from "@/lib/domain/users/prove";
import { audit } from "@/lib/ground/audit";
import { hasRole, requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { lockProject } from "@/lib/ground/project-lock";
import { toInvitation } from "./invitation-rows";
import type { Invitation, Member, MemberList, MemberUpdate } from "./schema";
import { endSignInLinks } from "./sign-in-links";

const byRights = roleNames.toReversed();

interface MemberRow extends Record<string, unknown> {
  id: string;
  email: string;
  name: string;
  role: Role;
  two_step: boolean;
  joined_at: string;
  seen_at: string | null;
}

async function readMembers(ctx: Context): Promise<Member[]> {
  const rows = await ctx.db.execute<MemberRow>(sql`
    select ${users.id}, ${users.email}, ${users.name}, ${memberships.role},
      ${memberships.createdAt} as joined_at,
      exists (select from ${secondFactors} where ${secondFactors.userId} = ${users.id}
        and ${secondFactors.confirmedAt} is not null) as two_step,
      (select max(${sessions.lastSeenAt}) from ${sessions}
        where ${sessions.userId} = ${users.id}) as seen_at
    from ${memberships} join ${users} on ${users.id} = ${memberships.userId}
    where ${memberships.projectId} = ${ctx.projectId}
    order by array_position(${sql.param(byRights)}::text[], ${memberships.role}), lower(${users.email})`);
  return rows.map(({ id, email, name, role, two_step, joined_at, seen_at }) => ({
    ...{ id: encodeId("user", id), email, name, role },
    twoStep: two_step,
    you: ctx.actor.type === "user" && ctx.actor.id === id,
    joinedAt: new Date(joined_at).toISOString(),
    lastSeenAt: seen_at === null ? null : new Date(seen_at).toISOString(),
  }));
}

async function readInvitations(ctx: Context): Promise<Invitation[]> {
  if (!hasRole(ctx, "admin")) return [];
  const rows = await ctx.db
    .select({ invitation: invitations, invitedBy: users.email })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(eq(invitations.projectId, ctx.projectId))
    .orderBy(asc(invitations.id));
  return rows.map(toInvitation);
}

/** The project's people, those with most rights first, and whom it has invited. Needs viewer. */
export async function listMembers(ctx: Context): Promise<MemberList> {
  requireRole(ctx, "viewer");
  const [data, open] = await Promise.all([readMembers(ctx), readInvitations(ctx)]);
  return { data, invitations: open };
}

const mayInvite = (role: Role) => role === "admin" || role === "owner";

/** Locks the project's memberships and finds one. Throws NOT_FOUND. */
async function memberRole(tx: Transaction, ctx: Context, userId: string | null): Promise<Role> {
  await lockProject(tx, ctx.projectId);
  const [row] = userId
    ? await tx
        .select({ role: memberships.role })
        .from(memberships)
        .where(and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, userId)))
    : [];
  if (!row) throw notFound();
  return row.role;
}

/** Throws CONFLICT if nobody else owns the project. */
async function requireAnotherOwner(tx: Transaction, ctx: Context, userId: string): Promise<void> {
  const [other] = await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.projectId, ctx.projectId),
        eq(memberships.role, "owner"),
        sql`${memberships.userId} <> ${userId}`,
      ),
    )
    .limit(1);
  if (other) return;
  throw new AppError("CONFLICT", "A project needs an owner: make somebody else an owner first.");
}

/** Whom they have asked in is not let in on their word any longer. */
async function withdrawInvitationsOf(tx: Transaction, ctx: Context, userId: string): Promise<void> {
  const gone = await tx
    .delete(invitations)
    .where(and(eq(invitations.projectId, ctx.projectId), eq(invitations.invitedBy, userId)))
    .returning({ id: invitations.id, email: invitations.email });
  await endSignInLinks(tx, gone);
}

/**
 * Gives a member another role. Needs admin, and owner where an owner is made or unmade. Throws NOT_FOUND, CONFLICT for
 * the only owner.
 */
export async function updateMember(
  ctx: Context,
  id: string,
  { role }: MemberUpdate,
): Promise<void> {
  requireRole(ctx, role === "owner" ? "owner" : "admin");
  askingPerson(ctx);
  const userId = decodeId("user", id);
  await ctx.db.transaction(async (tx) => {
    const before = await memberRole(tx, ctx, userId);
    if (userId === null || before === role) return;
    if (before === "owner") {
      requireRole(ctx, "owner");
      await requireAnotherOwner(tx, ctx, userId);
    }
    await tx
      .update(memberships)
      .set({ role })
      .where(and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, userId)));
    // An owner who becomes an admin may have asked in owners.
    if (before === "owner" || !mayInvite(role)) await withdrawInvitationsOf(tx, ctx, userId);
    await audit(tx, ctx, "update.member", id, { role, before });
  });
}

async function takeOut(ctx: Context, userId: string | null, left: boolean): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const role = await memberRole(tx, ctx, userId);
    if (userId === null) return;
    if (role === "owner") {
      requireRole(ctx, "owner");
      await requireAnotherOwner(tx, ctx, userId);
    }
    await tx
      .delete(memberships)
      .where(and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, userId)));
    // With its links and sessions: should the person be asked in again, they would open the project as before.
    await tx
      .delete(platformTokens)
      .where(and(eq(platformTokens.projectId, ctx.projectId), eq(platformTokens.userId, userId)));
    await withdrawInvitationsOf(tx, ctx, userId);
    await audit(tx, ctx, "remove.member", encodeId("user", userId), { role, left });
  });
}

/**
 * Takes a member out of the project: they see nothing of it from the next request on. Needs admin, and owner for
 * owners. Throws NOT_FOUND, CONFLICT for the only owner.
 */
export async function removeMember(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "admin");
  const userId = decodeId("user", id);
  await takeOut(ctx, userId, askingPerson(ctx) === userId);
}

/** Leaves the project oneself. Throws CONFLICT for the only owner. */
export async function leaveProject(ctx: Context): Promise<void> {
  await takeOut(ctx, askingPerson(ctx), true);
}
