import { and, count, eq, sql } from "drizzle-orm";
import type { Role } from "@/db/enums";
import type { Transaction } from "@/db/client";
import { invitations, memberships, users } from "@/db/schema";
import { limitAttempts } from "@/lib/domain/users/attempts";
import { askingPerson } from "@/lib/domain/users/prove";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { lockProject } from "@/lib/ground/project-lock";
import { mailInvitation } from "./invitation-mail";
import { toInvitation } from "./invitation-rows";
import {
  invitationDays,
  mostInvitations,
  type InvitationInput,
  type SentInvitation,
} from "./schema";
import { endSignInLinks } from "./sign-in-links";

type Row = typeof invitations.$inferSelect;

const hour = 60 * 60;
/** Invitations are mail to people who have not asked for it. */
const mostMailsAnHour = 30;

const weekFromNow = sql`app_now() + make_interval(days => ${invitationDays})`;

/** Whoever may invite somebody to this role, as themselves. */
function requireInviter(ctx: Context, role: Role): string {
  requireRole(ctx, role === "owner" ? "owner" : "admin");
  return askingPerson(ctx);
}

const limitMails = (ctx: Context) =>
  limitAttempts(ctx.db, [
    {
      subject: `invitations:${ctx.projectId}`,
      limit: mostMailsAnHour,
      windowSeconds: hour,
    },
  ]);

async function refuseMember(tx: Transaction, ctx: Context, email: string): Promise<void> {
  const [present] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(eq(memberships.projectId, ctx.projectId), sql`lower(${users.email}) = lower(${email})`),
    );
  if (!present) return;
  throw new AppError(
    "CONFLICT",
    `${email} is already a member of this project, as ${present.role}.`,
  );
}

async function refuseTooMany(tx: Transaction, ctx: Context): Promise<void> {
  const [open] = await tx
    .select({ count: count() })
    .from(invitations)
    .where(eq(invitations.projectId, ctx.projectId));
  if ((open?.count ?? 0) < mostInvitations) return;
  throw new AppError(
    "CONFLICT",
    `${mostInvitations} invitations have not been answered: withdraw some first.`,
  );
}

/** Hands the mail over; a server that does not take it leaves the invitation standing. */
async function mailed(ctx: Context, row: Row, inviter: string): Promise<boolean> {
  try {
    return await mailInvitation(ctx, row, inviter);
  } catch (error) {
    log.warn(
      { name: error instanceof Error ? error.name : "unknown", projectId: ctx.projectId },
      "an invitation could not be mailed",
    );
    return false;
  }
}

async function sent(ctx: Context, row: Row, userId: string): Promise<SentInvitation> {
  const [inviter] = await ctx.db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  const invitedBy = inviter?.email ?? null;
  return {
    invitation: toInvitation({ invitation: row, invitedBy }),
    mailed: await mailed(ctx, row, invitedBy ?? ""),
  };
}

/**
 * Asks somebody by mail to become a member; they are one once they have said so. Needs admin, and owner to make an
 * owner. Throws CONFLICT for a member, somebody who is invited already, and where too many are; RATE_LIMIT_EXCEEDED
 * after too many mails.
 */
export async function inviteMember(
  ctx: Context,
  { email, role }: InvitationInput,
): Promise<SentInvitation> {
  const userId = requireInviter(ctx, role);
  await limitMails(ctx);
  const row = await ctx.db.transaction(async (tx) => {
    await lockProject(tx, ctx.projectId);
    await refuseMember(tx, ctx, email);
    await refuseTooMany(tx, ctx);
    const [inserted] = await tx
      .insert(invitations)
      .values({
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
        email,
        role,
        invitedBy: userId,
        expiresAt: weekFromNow,
      })
      .onConflictDoNothing()
      .returning();
    if (!inserted) {
      throw new AppError(
        "CONFLICT",
        `${email} has been invited already: send that invitation again.`,
      );
    }
    await audit(tx, ctx, "invite.user", encodeId("invitation", inserted.id), { role, email });
    return inserted;
  });
  return sent(ctx, row, userId);
}

/** The project's invitation, locked behind the project, as its deletion locks them; throws NOT_FOUND. */
async function findRow(tx: Transaction, ctx: Context, id: string): Promise<Row> {
  await lockProject(tx, ctx.projectId);
  const uuid = decodeId("invitation", id);
  const [row] = uuid
    ? await tx
        .select()
        .from(invitations)
        .where(and(eq(invitations.projectId, ctx.projectId), eq(invitations.id, uuid)))
        .for("update")
    : [];
  if (!row) throw notFound();
  return row;
}

/** Mails it again, good for another week. Needs what inviting to that role needs. Throws NOT_FOUND. */
export async function resendInvitation(ctx: Context, id: string): Promise<SentInvitation> {
  const userId = requireInviter(ctx, "admin");
  await limitMails(ctx);
  const row = await ctx.db.transaction(async (tx) => {
    const found = await findRow(tx, ctx, id);
    requireInviter(ctx, found.role);
    const [renewed] = await tx
      .update(invitations)
      .set({ expiresAt: weekFromNow, invitedBy: userId })
      .where(eq(invitations.id, found.id))
      .returning();
    const { email, role } = found;
    await audit(tx, ctx, "invite.user", id, { role, email });
    return renewed ?? found;
  });
  return sent(ctx, row, userId);
}

/** Takes an invitation back: its links lead nowhere from now on. Needs admin. Throws NOT_FOUND. */
export async function withdrawInvitation(ctx: Context, id: string): Promise<void> {
  requireInviter(ctx, "admin");
  await ctx.db.transaction(async (tx) => {
    const row = await findRow(tx, ctx, id);
    await tx.delete(invitations).where(eq(invitations.id, row.id));
    await endSignInLinks(tx, [row]);
    await audit(tx, ctx, "withdraw.invitation", id, { email: row.email });
  });
}
