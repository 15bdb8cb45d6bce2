import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import type { Database } from "@/db/client";
import { memberships } from "@/db/schema";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { systemContext, type Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { createProject } from "@/lib/domain/projects/projects";
import { createSession, sessionCookieName } from "@/lib/domain/users/sessions";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Role } from "@/db/enums";

export interface TestProject {
  /** Acts as the member. */
  ctx: Context;
  /** uuid */
  projectId: string;
  /** uuid of the member. */
  userId: string;
  /** A live key that may do everything. */
  apiKey: string;
}

/**
 * A project of its own with one member (an owner unless told otherwise) and a key. `sandbox.test` is
 * verified in it, as in every project under the capture transport.
 */
export async function makeProject(
  db: Database,
  options: { role?: Role; name?: string } = {},
): Promise<TestProject> {
  const role = options.role ?? "owner";
  const user = await findOrCreateUser(db, {
    email: `${role}-${randomBytes(6).toString("hex")}@example.com`,
    name: "Test Person",
  });
  const project = await createProject(db, {
    name: options.name ?? "Test project",
    ownerUserId: user.id,
  });
  if (role !== "owner") {
    await db
      .update(memberships)
      .set({ role })
      .where(and(eq(memberships.projectId, project.id), eq(memberships.userId, user.id)));
  }
  const key = await createApiKey(systemContext(db, project.id), {
    name: "Test",
    scope: "full",
    mode: "live",
  });
  return {
    ctx: {
      db,
      projectId: project.id,
      actor: { type: "user", id: user.id },
      role,
      sendingOnly: false,
      testMode: false,
      requestId: "test",
    },
    projectId: project.id,
    userId: user.id,
    apiKey: key.key,
  };
}

/** A Cookie header that signs the user in, through a platform token's link if one is named. */
export async function sessionCookie(
  db: Database,
  userId: string,
  platformTokenId: string | null = null,
): Promise<string> {
  const { id } = await createSession(db, {
    userId,
    platformTokenId,
    address: "192.0.2.1",
    userAgent: "Test",
  });
  const secret = env().APP_SECRET;
  if (!secret) throw new Error("There is no APP_SECRET.");
  const token = await encode({ token: { sub: userId, sid: id }, secret });
  return `${sessionCookieName()}=${token}`;
}
