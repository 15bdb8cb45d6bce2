import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { templateVersions } from "@/db/schema";
import { bySize } from "@/lib/ground/by-size";
import { requireRole, type Context } from "@/lib/ground/context";
import type { TemplateVersion } from "./schema";
import { findTemplateRow, toDesign } from "./templates";

type Version = Omit<typeof templateVersions.$inferSelect, "templateId">;

const toVersion = ({ version, name, subject, body, design, createdAt }: Version) => ({
  ...{ version, name, subject, body, design: toDesign(design) },
  createdAt: createdAt.toISOString(),
});

/**
 * Every version, newest first, the present one included. Programs make one at each deployment and one may have
 * megabytes, so the earlier ones are read a few at a time. Throws NOT_FOUND.
 */
export async function listTemplateVersions(
  ctx: Context,
  id: string,
): Promise<AsyncIterable<TemplateVersion>> {
  requireRole(ctx, "viewer");
  const row = await findTemplateRow(ctx.db, ctx, id);
  const { version, body, design } = templateVersions;
  const older = await ctx.db
    .select({
      version,
      size: sql<number>`octet_length(${body}) + coalesce(octet_length(${design}::text), 0)`,
    })
    .from(templateVersions)
    // Somebody may have gone on writing since the present one was read.
    .where(and(eq(templateVersions.templateId, row.id), lt(version, row.version)))
    .orderBy(desc(version));
  return (async function* () {
    yield toVersion({ ...row, createdAt: row.updatedAt });
    for (const stretch of bySize(older)) {
      const numbers = stretch.map((one) => one.version);
      const rows = await ctx.db
        .select()
        .from(templateVersions)
        .where(and(eq(templateVersions.templateId, row.id), inArray(version, numbers)))
        .orderBy(desc(version));
      yield* rows.map(toVersion);
    }
  })();
}
