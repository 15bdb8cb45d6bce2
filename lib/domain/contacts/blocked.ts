import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { contacts, forgottenAddresses, suppressions } from "@/db/schema";
import { forgottenHash } from "./forgotten";

type Reader = Pick<Database, "select">;

/** What an address is looked up by. */
interface Address {
  /** uuid */
  projectId: string;
  email: string;
}

/** Of a contact's row: that nothing is sent to its address, whatever is chosen. */
export const isSuppressed = and(
  eq(suppressions.projectId, contacts.projectId),
  sql`lower(${suppressions.email}) = lower(${contacts.email})`,
);

/** Whether nothing is sent to the contact (uuid), whatever is chosen. */
export async function isContactBlocked(reader: Reader, contactId: string): Promise<boolean> {
  const rows = await reader
    .select({ reason: suppressions.reason })
    .from(contacts)
    .innerJoin(suppressions, isSuppressed)
    .where(eq(contacts.id, contactId));
  return rows.length > 0;
}

/** Whether nothing is sent to the address, whatever is chosen. */
export async function isAddressBlocked(
  reader: Reader,
  { projectId, email }: Address,
): Promise<boolean> {
  const rows = await reader
    .select({ reason: suppressions.reason })
    .from(suppressions)
    .where(
      and(
        eq(suppressions.projectId, projectId),
        sql`lower(${suppressions.email}) = lower(${email})`,
      ),
    );
  return rows.length > 0;
}

/** What is remembered of an address whose contact was deleted for good; undefined: nothing. */
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
