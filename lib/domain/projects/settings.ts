import { eq } from "drizzle-orm";
import { projects } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { changedRetention, toRetention } from "@/lib/domain/retention/retention";
import { asksForCode } from "@/lib/domain/users/codes";
import { askingPerson } from "@/lib/domain/users/prove";
import { listLanguages } from "@/lib/ground/texts/texts";
import { encodeId } from "@/lib/ground/ids/ids";
import { brand } from "@/lib/mail/design/brand-schema";
import type { ProjectSettings, ProjectUpdate } from "./schema";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";

type Row = typeof projects.$inferSelect;

function toSettings(row: Row): ProjectSettings {
  return {
    id: encodeId("project", row.id),
    name: row.name,
    postalAddress: row.postalAddress,
    mailReason: row.mailReason,
    language: row.language,
    brandColor: row.brandColor,
    // Read again: what it gained since it was stored has its standard values.
    brand: row.brand && brand.parse(row.brand),
    retention: toRetention(row.retention),
    requiresTwoStep: row.requiresTwoStep,
    languages: listLanguages(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The project's name, its sender's postal address, and what its recipients' pages look like. */
export async function getProjectSettings(ctx: Context): Promise<ProjectSettings> {
  requireRole(ctx, "viewer");
  const [row] = await ctx.db.select().from(projects).where(eq(projects.id, ctx.projectId));
  if (!row) throw notFound();
  return toSettings(row);
}

/** An owner without two-step sign-in would lock themselves out. */
async function checkTwoStepSwitch(ctx: Context): Promise<void> {
  requireRole(ctx, "owner");
  if (await asksForCode(ctx.db, askingPerson(ctx))) return;
  throw invalid("requiresTwoStep", "needs your own two-step sign-in to be on first");
}

/**
 * Changes the fields that are present. Throws CONFLICT when it was changed since `basedOn`. Needs admin, and for
 * `requiresTwoStep` an owner with a second factor of their own.
 */
export async function updateProjectSettings(
  ctx: Context,
  input: ProjectUpdate,
): Promise<ProjectSettings> {
  requireRole(ctx, "admin");
  const { basedOn, retention, ...changes } = input;
  const { requiresTwoStep } = changes;
  if (requiresTwoStep !== undefined) await checkTwoStepSwitch(ctx);
  const codes = listLanguages().map(({ code }) => code);
  if (changes.language !== undefined && !codes.includes(changes.language)) {
    throw invalid("language", `is not one of ${codes.join(", ")}`);
  }
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx
      .select({ updatedAt: projects.updatedAt, retention: projects.retention })
      .from(projects)
      .where(eq(projects.id, ctx.projectId))
      .for("update");
    if (!before) throw notFound();
    refuseStale(basedOn, before.updatedAt);
    const [row] = await tx
      .update(projects)
      .set({
        ...changes,
        ...(retention && { retention: changedRetention(before.retention, retention) }),
        updatedAt: laterThan(projects.updatedAt),
      })
      .where(eq(projects.id, ctx.projectId))
      .returning();
    if (!row) throw notFound();
    await audit(tx, ctx, "update.project", encodeId("project", row.id), {
      name: row.name,
      ...(retention && { retention: row.retention }),
      ...(requiresTwoStep !== undefined && { requiresTwoStep }),
    });
    return toSettings(row);
  });
}
