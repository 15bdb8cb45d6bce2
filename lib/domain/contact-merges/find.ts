import { findPerson } from "@/lib/domain/contact-states/merged";
import { requireRole, type Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";

/** The id of the contact that another was merged into; null: there is no such contact, or it was not merged. */
export async function findMergedInto(ctx: Context, id: string): Promise<string | null> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("contact", id);
  const person = uuid && (await findPerson(ctx.db, uuid));
  if (!person || person.id === uuid || person.projectId !== ctx.projectId) return null;
  return encodeId("contact", person.id);
}
