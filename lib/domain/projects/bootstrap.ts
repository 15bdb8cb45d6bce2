import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { users } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { systemContext } from "@/lib/ground/context";
import { ensureBuiltInDomain } from "@/lib/domain/sending-domains/built-in";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { auditUser } from "@/lib/domain/users/audit";
import { createLoginToken } from "@/lib/domain/users/login-tokens";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { findOrCreatePlatformToken } from "./platform-tokens";
import { createProject, listProjects, type Project } from "./projects";

export interface Bootstrap {
  /** Wire id. */
  projectId: string;
  /** New each time, since keys are stored only as hashes. */
  apiKey: string;
  /** The user's existing token in the project. */
  platformToken: string;
  loginUrl: string;
  appUrl: string;
}

/**
 * Finds or creates the user and a project they own (the oldest; of that name, when one is given), and
 * returns everything a person and a program need to start. Throws VALIDATION_ERROR for a bad address or name.
 */
export async function bootstrap(
  db: Database,
  input: { email: string; projectName?: string; linkLifeSeconds?: number },
): Promise<Bootstrap> {
  const { user, project } = await db.transaction(async (tx) => {
    const user = await findOrCreateUser(tx, { email: input.email });
    // Two concurrent calls for one person end up with the same project instead of creating one each.
    await tx.select().from(users).where(eq(users.id, user.id)).for("no key update");
    const owned = (await listProjects(tx, user.id)).filter(({ role }) => role === "owner");
    const requestedName = input.projectName?.trim();
    let project: Project | undefined = owned.find(
      ({ name }) => !requestedName || name === requestedName,
    );
    if (project) await ensureBuiltInDomain(tx, project.id);
    project ??= await createProject(tx, {
      name: requestedName ?? "My project",
      ownerUserId: user.id,
    });
    return { user, project };
  });
  const key = await createApiKey(systemContext(db, project.id), {
    name: "Bootstrap",
    scope: "full",
    mode: "live",
  });
  const projectId = encodeId("project", project.id);
  const login = await createLoginToken(db, {
    userId: user.id,
    purpose: "login",
    redirectTo: `/dashboard/${projectId}`,
    expiresInSeconds: input.linkLifeSeconds,
  });
  await auditUser(db, user.id, {
    action: "create.loginToken",
    actor: { type: "system", id: null },
    details: {},
    requestId: "system",
  });
  await audit(db, systemContext(db, project.id), "reveal.platformToken", encodeId("user", user.id));
  return {
    projectId,
    apiKey: key.key,
    platformToken: await findOrCreatePlatformToken(db, {
      projectId: project.id,
      userId: user.id,
    }),
    loginUrl: login.url,
    appUrl: env().APP_URL,
  };
}
