import { and, asc, eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { memberships, projects } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import type { Actor } from "@/lib/ground/context";
import { ensureBuiltInDomain } from "@/lib/domain/sending-domains/built-in";
import { encodeId, newProjectId } from "@/lib/ground/ids/ids";
import { lacksTwoStep } from "@/lib/domain/users/sessions";
import { validate } from "@/lib/ground/validate";
import { projectName } from "./schema";
import type { Role } from "@/db/enums";

export interface Project {
  /** uuid */
  id: string;
  name: string;
}

const columns = { id: projects.id, name: projects.name };

/**
 * Creates a project with its owner and, under the capture transport, the domain that works without DNS.
 * Throws VALIDATION_ERROR for an invalid name.
 */
export async function createProject(
  db: Executor,
  input: { name: string; ownerUserId: string; actor?: Actor; requestId?: string },
): Promise<Project> {
  const name = validate(projectName, input.name, ["name"]);
  return db.transaction(async (tx) => {
    const [project] = await tx
      .insert(projects)
      .values({ id: newProjectId(), name })
      .returning(columns);
    if (!project) throw new Error("An insert returned no row.");
    await tx
      .insert(memberships)
      .values({ projectId: project.id, userId: input.ownerUserId, role: "owner" });
    await ensureBuiltInDomain(tx, project.id);
    await audit(
      tx,
      {
        projectId: project.id,
        actor: input.actor ?? { type: "system", id: null },
        requestId: input.requestId ?? "system",
      },
      "create.project",
      encodeId("project", project.id),
      { name },
    );
    return project;
  });
}

interface OwnProject extends Project {
  role: Role;
  /** Whether it lets the user in only once they have two-step sign-in. */
  lacksTwoStep: boolean;
}

/** The projects a user is a member of, oldest first. */
export async function listProjects(db: Executor, userId: string): Promise<OwnProject[]> {
  return db
    .select({
      ...columns,
      role: memberships.role,
      lacksTwoStep: lacksTwoStep(memberships.userId),
    })
    .from(memberships)
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(projects.id));
}

/** The user's role in the project; null for one who is not a member. */
export async function findRole(
  db: Executor,
  projectId: string,
  userId: string,
): Promise<Role | null> {
  const [membership] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.projectId, projectId), eq(memberships.userId, userId)));
  return membership?.role ?? null;
}
