import { and, eq } from "drizzle-orm";
import { memberships } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { createLoginToken } from "./login-tokens";
import { findOrCreateUser, type User } from "./users";
import type { Role } from "@/db/enums";

export interface Invitation {
  user: User;
  role: Role;
  url: string;
}

/**
 * Makes the person a member and returns the link that lets them in; for someone who already has this
 * role, a new link. Needs admin, and owner to make an owner. The url signs in as that person: it may be
 * shown on the operator's terminal or mailed to them, never returned to another user.
 * Throws CONFLICT for a member with another role.
 */
export async function inviteUser(
  ctx: Context,
  input: { email: string; name?: string; role: Role },
): Promise<Invitation> {
  requireRole(ctx, input.role === "owner" ? "owner" : "admin");
  return ctx.db.transaction(async (tx) => {
    const user = await findOrCreateUser(tx, input);
    const membership = { projectId: ctx.projectId, userId: user.id };
    const inserted = await tx
      .insert(memberships)
      .values({ ...membership, role: input.role })
      .onConflictDoNothing()
      .returning({ role: memberships.role });
    if (inserted.length === 0) {
      const [existing] = await tx
        .select({ role: memberships.role })
        .from(memberships)
        .where(
          and(
            eq(memberships.projectId, membership.projectId),
            eq(memberships.userId, membership.userId),
          ),
        );
      if (existing?.role !== input.role) {
        throw new AppError(
          "CONFLICT",
          `${user.email} is already a member of this project${existing ? `, as ${existing.role}` : ""}.`,
        );
      }
    }
    const link = await createLoginToken(tx, { userId: user.id, purpose: "invitation" });
    await audit(tx, ctx, "invite.user", encodeId("user", user.id), { role: input.role });
    return { user, role: input.role, url: link.url };
  });
}
