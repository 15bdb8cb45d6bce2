import { and, eq } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { memberships, templateDrafts, templateVersions } from "@/db/schema";
import type { TemplateChanges } from "@/db/schema/templates";
import { askingMember } from "@/lib/domain/users/prove";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import type { KeptTemplateDraft, TemplateDraftInput } from "./draft-schema";
import { findTemplateRow } from "./templates";

/*
 * What members write into a template before they save it. Each has one draft of a template; what is sent is the
 * template alone.
 */

type Template = Awaited<ReturnType<typeof findTemplateRow>>;
type Content = Pick<Template, "name" | "subject" | "body" | "design">;
type Fields = KeptTemplateDraft["changes"];

const own = (templateId: string, userId: string) =>
  and(eq(templateDrafts.templateId, templateId), eq(templateDrafts.userId, userId));

/** Locks the asking member's membership against its end. Throws NOT_FOUND when they have left meanwhile. */
async function keepMembership(tx: Transaction, ctx: Context, userId: string): Promise<void> {
  const [row] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, userId)))
    .for("key share");
  if (!row) throw notFound();
}

async function contentOf(executor: Executor, found: Template, version: number): Promise<Content> {
  if (version === found.version) return found;
  const { name, subject, body, design } = templateVersions;
  const [row] = await executor
    .select({ name, subject, body, design })
    .from(templateVersions)
    .where(and(eq(templateVersions.templateId, found.id), eq(templateVersions.version, version)));
  return row ?? found;
}

function baseOf(content: Content, changes: TemplateChanges): Fields {
  const fields: Fields = {};
  if (changes.name !== undefined) fields.name = content.name;
  if (changes.subject !== undefined) fields.subject = content.subject;
  // A design and the body that is made from it change together.
  if (changes.body !== undefined || changes.design !== undefined) {
    fields.body = content.body;
    fields.design = content.design as Fields["design"];
  }
  return fields;
}

/** The asking member's draft; null: there is none. Throws NOT_FOUND; NOT_ALLOWED for keys and tokens. */
export async function readTemplateDraft(
  ctx: Context,
  id: string,
): Promise<KeptTemplateDraft | null> {
  const userId = askingMember(ctx);
  const found = await findTemplateRow(ctx.db, ctx, id);
  const [draft] = await ctx.db.select().from(templateDrafts).where(own(found.id, userId));
  if (!draft) return null;
  return {
    base: baseOf(await contentOf(ctx.db, found, draft.fromVersion), draft.changes),
    changes: draft.changes as Fields,
    updatedAt: draft.updatedAt.toISOString(),
  };
}

/**
 * Keeps what the asking member has changed and not saved, in place of what was kept before. Throws NOT_FOUND;
 * VALIDATION_ERROR for a version that is still to come; CONFLICT when another of their tabs has kept something since
 * `basedOn`; NOT_ALLOWED for keys and tokens. Needs editor.
 */
export async function keepTemplateDraft(
  ctx: Context,
  id: string,
  { changes, fromVersion, basedOn }: TemplateDraftInput,
): Promise<{ updatedAt: string }> {
  requireRole(ctx, "editor");
  const userId = askingMember(ctx);
  return retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      const found = await findTemplateRow(tx, ctx, id, "key share");
      await keepMembership(tx, ctx, userId);
      if (fromVersion > found.version) throw invalid("fromVersion", "is not a version yet");
      const kept = { changes, fromVersion };
      const key = { projectId: ctx.projectId, templateId: found.id, userId };
      // First the row, so that there is one to lock.
      const [made] = await tx
        .insert(templateDrafts)
        .values({ ...key, ...kept })
        .onConflictDoNothing()
        .returning({ updatedAt: templateDrafts.updatedAt });
      if (made) {
        refuseStale(basedOn, null);
        return { updatedAt: made.updatedAt.toISOString() };
      }
      const [before] = await tx
        .select({ updatedAt: templateDrafts.updatedAt })
        .from(templateDrafts)
        .where(own(found.id, userId))
        .for("update");
      refuseStale(basedOn, before?.updatedAt ?? null);
      const [row] = await tx
        .update(templateDrafts)
        .set({ ...kept, updatedAt: laterThan(templateDrafts.updatedAt) })
        .where(own(found.id, userId))
        .returning({ updatedAt: templateDrafts.updatedAt });
      if (!row) throw notFound();
      return { updatedAt: row.updatedAt.toISOString() };
    }),
  );
}

/**
 * Forgets the asking member's draft: it was saved or discarded. Throws NOT_FOUND (the template); CONFLICT when another
 * of their tabs has kept something since `basedOn`; NOT_ALLOWED for keys and tokens.
 */
export async function forgetTemplateDraft(
  ctx: Context,
  id: string,
  basedOn?: string,
): Promise<void> {
  const userId = askingMember(ctx);
  await ctx.db.transaction(async (tx) => {
    const found = await findTemplateRow(tx, ctx, id);
    const [before] = await tx
      .select({ updatedAt: templateDrafts.updatedAt })
      .from(templateDrafts)
      .where(own(found.id, userId))
      .for("update");
    if (!before) return;
    refuseStale(basedOn, before.updatedAt);
    await tx.delete(templateDrafts).where(own(found.id, userId));
  });
}
