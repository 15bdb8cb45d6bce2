import { eq, sql } from "drizzle-orm";
import { memberships, templateDrafts, templates, templateVersions } from "@/db/schema";
import { refuseWhileUsed } from "@/lib/domain/references/campaigns";
import { refuseWhileInOwnMail } from "@/lib/domain/references/own-mails";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { bringBack, keepDeleted } from "@/lib/ground/updates/bring-back";
import { findTemplateRow } from "./templates";

const parts = [
  { table: templates, by: templates.id },
  {
    table: templateVersions,
    by: templateVersions.templateId,
    // Programs make one at each deployment.
    newest: { by: templateVersions.version, most: 50 },
  },
  {
    table: templateDrafts,
    by: templateDrafts.templateId,
    // Its writer may have left the project since.
    belongs: sql`exists (select from ${memberships}
      where ${memberships.projectId} = kept.project_id and ${memberships.userId} = kept.user_id)`,
  },
];

/**
 * Mail sent with it stays as it is. Throws NOT_FOUND; CONFLICT while a campaign that is to go out uses it, or a list
 * or form for its mails.
 * Needs editor.
 */
export async function deleteTemplate(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const row = await findTemplateRow(tx, ctx, id, "update");
    await refuseWhileUsed(tx, ctx.projectId, "template", row.id);
    await refuseWhileInOwnMail(tx, ctx.projectId, row.id);
    await keepDeleted(tx, ctx, row.id, parts);
    await tx.delete(templates).where(eq(templates.id, row.id));
    await audit(tx, ctx, "delete.template", encodeId("template", row.id), { name: row.name });
  });
}

/**
 * Takes a deletion back within ten minutes, with its newest 50 versions and what members have written into it. Throws NOT_FOUND.
 * Needs editor.
 */
export async function restoreTemplate(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = decodeId("template", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    await bringBack(tx, ctx, uuid, parts);
    const { name } = await findTemplateRow(tx, ctx, id);
    await audit(tx, ctx, "create.template", id, { name, restored: true });
  });
}
