import { and, eq, sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { insertSelected } from "@/db/names";
import { memberships, platformTokens } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { randomBase62, seal, sha256, unsealOrNull } from "@/lib/ground/secrets";
import { createLoginToken } from "@/lib/domain/users/login-tokens";
import type { Role } from "@/db/enums";

interface Owner {
  projectId: string;
  userId: string;
}

function newToken() {
  const token = randomBase62(60);
  return { token, hash: sha256(token).toString("hex"), sealed: seal(token) };
}

const isOwner = ({ projectId, userId }: Owner) =>
  and(eq(memberships.projectId, projectId), eq(memberships.userId, userId));

/**
 * A member's current platform API token in a project, created on first use; null: it cannot be read, since it was
 * stored under another APP_SECRET, or damaged. It works nevertheless. Throws NOT_FOUND for nobody's.
 */
export async function readPlatformToken(db: Executor, owner: Owner): Promise<string | null> {
  const { token, hash, sealed } = newToken();
  // Whoever takes the member out meanwhile deletes it, or it is not made.
  const inserted = await db.execute(sql`
    ${insertSelected(platformTokens, {
      id: sql`${newId(owner.projectId)}::uuid`,
      projectId: sql`${memberships.projectId}`,
      userId: sql`${memberships.userId}`,
      hash: sql`${hash}`,
      sealed: sql`${sealed}`,
    })} from ${memberships} where ${isOwner(owner)} for key share
    on conflict do nothing returning 1 as made`);
  if (inserted.length > 0) return token;
  const [current] = await db
    .select({ sealed: platformTokens.sealed })
    .from(platformTokens)
    .where(
      and(eq(platformTokens.projectId, owner.projectId), eq(platformTokens.userId, owner.userId)),
    );
  if (!current) throw notFound();
  return unsealOrNull(current.sealed);
}

/** The same; throws CONFLICT for one that cannot be read. */
export async function findOrCreatePlatformToken(db: Executor, owner: Owner): Promise<string> {
  const token = await readPlatformToken(db, owner);
  if (token !== null) return token;
  throw new AppError(
    "CONFLICT",
    "The platform token cannot be read: it was stored under another APP_SECRET, or damaged. Programs that have it are still served. Replace it to see one.",
  );
}

/**
 * Replaces the user's platform API token in the project; the old one stops working at once. The new one is another
 * row, so the links and sessions that the old one started end with it. Throws NOT_FOUND for somebody who is no member.
 */
export async function rotatePlatformToken(db: Executor, owner: Owner): Promise<string> {
  const { token, ...columns } = newToken();
  const { projectId, userId } = owner;
  await db.transaction(async (tx) => {
    // One after another, since two concurrent calls would each create a token.
    const [member] = await tx
      .select({ userId: memberships.userId })
      .from(memberships)
      .where(isOwner(owner))
      .for("no key update");
    if (!member) throw notFound();
    await tx
      .delete(platformTokens)
      .where(and(eq(platformTokens.projectId, projectId), eq(platformTokens.userId, userId)));
    await tx.insert(platformTokens).values({ id: newId(owner.projectId), ...owner, ...columns });
  });
  return token;
}

/**
 * Creates a link into the dashboard with the platform token of the context. It opens only the token's project, and
 * its sessions end when the token is replaced. Throws INVALID_API_KEY when that has just happened, NOT_ALLOWED for
 * a context without a platform token.
 */
export async function createProjectLoginLink(
  ctx: Context,
): Promise<{ token: string; url: string }> {
  const { actor, platformTokenId } = ctx;
  requireRole(ctx, "viewer");
  if (actor.type !== "user" || platformTokenId === undefined) {
    throw new AppError("NOT_ALLOWED", "Login links need a platform token.");
  }
  return ctx.db.transaction(async (tx) => {
    const [current] = await tx
      .select({ id: platformTokens.id })
      .from(platformTokens)
      .where(eq(platformTokens.id, platformTokenId))
      .for("key share");
    if (!current) throw new AppError("INVALID_API_KEY", "The API token is not known.");
    const link = await createLoginToken(tx, {
      userId: actor.id,
      purpose: "login",
      redirectTo: `/dashboard/${encodeId("project", ctx.projectId)}`,
      platformTokenId,
    });
    await audit(tx, ctx, "create.loginToken", encodeId("user", actor.id));
    return link;
  });
}

/** What a request needs to know about the token it came with. */
export interface PlatformIdentity {
  /** uuid */
  tokenId: string;
  projectId: string;
  userId: string;
  role: Role;
}

/** The token's user with their current role; null when the token is unknown or its user has left the project. */
export async function findPlatformIdentity(
  db: Executor,
  token: string,
): Promise<PlatformIdentity | null> {
  const [row] = await executePrepared<{
    id: string;
    project_id: string;
    user_id: string;
    role: Role;
  }>(
    db,
    sql`select ${platformTokens.id}, ${platformTokens.projectId}, ${platformTokens.userId},
        ${memberships.role}
      from ${platformTokens}
      join ${memberships} on ${memberships.projectId} = ${platformTokens.projectId}
        and ${memberships.userId} = ${platformTokens.userId}
      where ${platformTokens.hash} = ${sha256(token).toString("hex")}`,
  );
  return row
    ? { tokenId: row.id, projectId: row.project_id, userId: row.user_id, role: row.role }
    : null;
}
