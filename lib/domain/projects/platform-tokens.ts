import { and, eq, sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { platformTokens } from "@/db/schema";
import { randomBase62, seal, sha256, unseal } from "@/lib/ground/secrets";
import type { Role } from "@/db/enums";

interface Owner {
  projectId: string;
  userId: string;
}

function newToken() {
  const token = randomBase62(60);
  return { token, hash: sha256(token).toString("hex"), sealed: seal(token) };
}

/** A user's current platform API token in a project, created on first use. */
export async function findOrCreatePlatformToken(db: Executor, owner: Owner): Promise<string> {
  const { token, ...columns } = newToken();
  const inserted = await db
    .insert(platformTokens)
    .values({ ...owner, ...columns })
    .onConflictDoNothing()
    .returning({ id: platformTokens.id });
  if (inserted.length > 0) return token;
  const [current] = await db
    .select({ sealed: platformTokens.sealed })
    .from(platformTokens)
    .where(
      and(eq(platformTokens.projectId, owner.projectId), eq(platformTokens.userId, owner.userId)),
    );
  if (!current) throw new Error("The platform token was deleted while being looked up.");
  return unseal(current.sealed);
}

/** Gives the user a new platform API token in the project; the old one stops working at once. */
export async function rotatePlatformToken(db: Executor, owner: Owner): Promise<string> {
  const { token, ...columns } = newToken();
  await db
    .insert(platformTokens)
    .values({ ...owner, ...columns })
    .onConflictDoUpdate({
      target: [platformTokens.projectId, platformTokens.userId],
      set: { ...columns, rotatedAt: sql`app_now()` },
    });
  return token;
}

/** What a request needs to know about the token it came with. */
export interface PlatformIdentity {
  /** uuid */
  tokenId: string;
  projectId: string;
  userId: string;
  role: Role;
}

/** Whose token it is, with their current role; null when it is unknown or its user has left the project. */
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
    sql`select t.id, t.project_id, t.user_id, m.role
      from platform_tokens t
      join memberships m on m.project_id = t.project_id and m.user_id = t.user_id
      where t.hash = ${sha256(token).toString("hex")}`,
  );
  return row
    ? { tokenId: row.id, projectId: row.project_id, userId: row.user_id, role: row.role }
    : null;
}
