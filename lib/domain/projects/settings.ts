import { eq } from "drizzle-orm";
import { projects } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import type { ProjectSettings, ProjectUpdate } from "./schema";

type Row = typeof projects.$inferSelect;

function toSettings(row: Row): ProjectSettings {
  return {
    id: encodeId("project", row.id),
    name: row.name,
    postalAddress: row.postalAddress,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The project's name and its sender's postal address. */
export async function getProjectSettings(ctx: Context): Promise<ProjectSettings> {
  requireRole(ctx, "viewer");
  const [row] = await ctx.db.select().from(projects).where(eq(projects.id, ctx.projectId));
  if (!row) throw notFound();
  return toSettings(row);
}

/** Changes the fields that are present. Needs admin. */
export async function updateProjectSettings(
  ctx: Context,
  input: ProjectUpdate,
): Promise<ProjectSettings> {
  requireRole(ctx, "admin");
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(projects)
      .set({ ...input, updatedAt: now })
      .where(eq(projects.id, ctx.projectId))
      .returning();
    if (!row) throw notFound();
    await audit(tx, ctx, "update.project", encodeId("project", row.id), { name: row.name });
    return toSettings(row);
  });
}
