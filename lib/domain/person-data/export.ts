import { findContactRow } from "@/lib/domain/contacts/contacts";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { archiveOf } from "./person";

/**
 * Everything about one contact (id or address) as a ZIP, for answering a request under article 15 of the GDPR.
 * Throws NOT_FOUND. Needs viewer.
 */
export async function exportContact(ctx: Context, id: string): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "viewer");
  const { id: contactId } = await findContactRow(ctx.db, ctx, id);
  const archive = await archiveOf({ db: ctx.db, projectId: ctx.projectId, contactId });
  if (!archive) throw notFound();
  await audit(ctx.db, ctx, "export.contact", encodeId("contact", contactId));
  return archive;
}
