import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { Consent } from "@/db/enums";
import { contacts, personRequests, suppressions } from "@/db/schema";
import { restoreBounced } from "@/lib/domain/contact-states/suppressed-members";
import { foldAddress } from "@/lib/mail/address";
import { hasObjected } from "./blocked";
import { forgottenHash, rememberHash, restoredSuppressions } from "./forgotten";

/** A contact (uuids) before it gets another address. */
interface Moving {
  projectId: string;
  id: string;
  email: string;
  consent: Consent;
}

/** A suppression that went with a contact who was deleted comes back with the address. */
async function restoreSuppression(
  tx: Transaction,
  { projectId, id }: Moving,
  email: string,
): Promise<void> {
  const came = sql`select ${projectId}::uuid as project_id, ${email}::text as email,
    ${forgottenHash(projectId, email)}::text as forgotten`;
  await tx.execute(sql`with came as (${came}), ${restoredSuppressions("came")} select 1`);
  const bounces = await tx.$count(
    suppressions,
    and(
      eq(suppressions.projectId, projectId),
      eq(suppressions.reason, "hard_bounce"),
      sql`lower(${suppressions.email}) = lower(${email})`,
    ),
  );
  if (bounces === 0) await restoreBounced(tx, id);
}

/**
 * Does what a change of address by others than the person (the project's members, keys and tokens) brings with it;
 * the caller has locked the contact, and writes the address. What was objected to at either address holds, what
 * bounced at the former one does not, and links that were mailed there give out or erase nothing any more. Resolves to
 * whether the new address has objected, so that the contact is unsubscribed unless the request says otherwise.
 */
export async function takeNewAddress(
  tx: Transaction,
  contact: Moving,
  email: string,
): Promise<boolean> {
  if (foldAddress(email) === foldAddress(contact.email)) return false;
  const { id, projectId } = contact;
  // Whoever is being deleted with the address is gone first: what remains of them is read below.
  await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), sql`lower(${contacts.email}) = lower(${email})`))
    .for("key share");
  if (contact.consent === "unsubscribed") {
    // Mail to it may be under way.
    const former = { ids: [id], email: contact.email };
    await rememberHash(tx, projectId, former, { keepSuppressed: true });
  }
  await restoreSuppression(tx, contact, email);
  await tx
    .delete(personRequests)
    .where(
      and(
        eq(personRequests.contactId, id),
        inArray(personRequests.kind, ["download", "erase"]),
        isNull(personRequests.doneAt),
      ),
    );
  return hasObjected(tx, { projectId, email });
}
