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
 * Makes the person a member and gives the link that lets them in; again for a member with the same
 * role: a new link. Needs admin, and owner to make an owner. The url signs in as that person: it is
 * for the operator's terminal or for a mail to them, never an answer to another user.
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
    const added = await tx
      .insert(memberships)
      .values({ ...membership, role: input.role })
      .onConflictDoNothing()
      .returning({ role: memberships.role });
    if (added.length === 0) {
      const [present] = await tx
        .select({ role: memberships.role })
        .from(memberships)
        .where(
          and(
            eq(memberships.projectId, membership.projectId),
            eq(memberships.userId, membership.userId),
          ),
        );
      if (present?.role !== input.role) {
        throw new AppError(
          "CONFLICT",
          `${user.email} is a member of this project already${present ? `, as ${present.role}` : ""}.`,
        );
      }
    }
    const link = await createLoginToken(tx, { userId: user.id, purpose: "invitation" });
    await audit(tx, ctx, "invite.user", encodeId("user", user.id), { role: input.role });
    return { user, role: input.role, url: link.url };
  });
}
