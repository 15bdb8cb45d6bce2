import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { SuppressionReason } from "@/db/enums";
import { contacts, forgottenAddresses, suppressions } from "@/db/schema";
import { reasonFor, suppresses } from "@/lib/domain/contact-states/suppressed";
import { forgottenHash } from "./forgotten";

type Reader = Pick<Database, "select">;

/** What is needed to look an address up. */
interface Address {
  /** uuid */
  projectId: string;
  email: string;
}

/**
 * SQL: why nothing is sent to the address of a contact's row, whatever the person chooses; null when mail may be
 * sent.
 */
export const blockedReason = sql<SuppressionReason | null>`${reasonFor(contacts.projectId, contacts.email)}`;

/** Whether nothing is sent to the contact (uuid), whatever the person chooses. */
export async function isContactBlocked(reader: Reader, contactId: string): Promise<boolean> {
  const rows = await reader
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.id, contactId), isNotNull(blockedReason)));
  return rows.length > 0;
}

/** Whether nothing is sent to the address, whatever the person chooses. */
export async function isAddressBlocked(
  reader: Reader,
  { projectId, email }: Address,
): Promise<boolean> {
  const rows = await reader
    .select({ reason: suppressions.reason })
    .from(suppressions)
    .where(suppresses(projectId, email));
  return rows.length > 0;
}

/** What is remembered about an address whose contact was deleted for good; undefined when nothing is. */
export async function findForgotten(reader: Reader, { projectId, email }: Address) {
  const [row] = await reader
    .select({
      suppressed: forgottenAddresses.suppressed,
      objectedAt: forgottenAddresses.objectedAt,
    })
    .from(forgottenAddresses)
    .where(
      and(
        eq(forgottenAddresses.projectId, projectId),
        eq(forgottenAddresses.hash, forgottenHash(projectId, email)),
      ),
    );
  return row;
}

/** Whether the address belonged to somebody who objected and then was erased or got another address. */
export async function hasObjected(reader: Reader, address: Address): Promise<boolean> {
  return Boolean((await findForgotten(reader, address))?.objectedAt);
}
