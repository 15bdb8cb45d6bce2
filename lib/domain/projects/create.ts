import { and, eq, sql } from "drizzle-orm";
import { memberships, projects, users } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { askingPerson } from "@/lib/domain/users/prove";
import { createProject } from "./projects";
import type { ProjectCreate } from "./schema";

/** How many projects one person may own: jobs that go through all projects pay for each. */
export const mostOwnedProjects = 50;

/**
 * Creates another project for somebody who owns the current one. Needs owner. Throws NOT_ALLOWED if the operator
 * has set a monthly limit on one of their projects, which another project would get around, and CONFLICT when they
 * own too many.
 */
export async function createOwnProject(
  ctx: Context,
  input: ProjectCreate,
): Promise<{ id: string; name: string }> {
  requireRole(ctx, "owner");
  const userId = askingPerson(ctx);
  return ctx.db.transaction(async (tx) => {
    // One after another, since concurrent calls would not count each other.
    await tx.select().from(users).where(eq(users.id, userId)).for("no key update");
    const [owned] = await tx
      .select({
        count: sql<number>`count(*)::int`,
        limited: sql<boolean>`coalesce(bool_or(${projects.monthlyEmailLimit} is not null), false)`,
      })
      .from(memberships)
      .innerJoin(projects, eq(projects.id, memberships.projectId))
      .where(and(eq(memberships.userId, userId), eq(memberships.role, "owner")));
    if (owned?.limited) {
      throw new AppError(
        "NOT_ALLOWED",
        "The number of emails you may send in a month is limited: ask whoever runs this installation for another project.",
      );
    }
    if ((owned?.count ?? 0) >= mostOwnedProjects) {
      throw new AppError("CONFLICT", `One person owns at most ${mostOwnedProjects} projects.`);
    }
    const { actor, requestId } = ctx;
    const { name } = input;
    const project = await createProject(tx, { name, ownerUserId: userId, actor, requestId });
    return { id: encodeId("project", project.id), name: project.name };
  });
}
