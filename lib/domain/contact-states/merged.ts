import { and, eq, ne, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Executor } from "@/db/client";
import { contactChanges, contacts, mergedContacts, personRequests } from "@/db/schema";
import { foldAddress } from "@/lib/mail/address";

/*
 * Whose records those of merged contacts are. Mail is moved to the contact that was kept, but for a second email of
 * one campaign; history that is never rewritten stays under the former id.
 */

/** SQL: the contact that an id in a record is the id of now: itself, or the one that it was merged into. */
export const personOf = (contactId: SQLWrapper): SQL =>
  sql`coalesce((select ${mergedContacts.keptId} from ${mergedContacts}
    where ${mergedContacts.contactId} = ${contactId}), ${contactId})`;

/** Under what a contact's records are found. */
export interface RecordsOf {
  /** uuids: its own first, then those of contacts merged into it. */
  ids: string[];
  /** Its address first, then those it had before a merge, unless somebody else has them by now. */
  addresses: string[];
}

/** Which of the addresses somebody else of the contact's project has by now, folded. */
async function othersAt(
  executor: Executor,
  contactId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const other = alias(contacts, "other");
  const rows = await executor
    .select({ email: other.email })
    .from(contacts)
    .innerJoin(
      other,
      and(
        eq(other.projectId, contacts.projectId),
        sql`lower(${other.email}) = any(array(
          select lower(address) from unnest(${sql.param([...addresses])}::text[]) address))`,
        ne(other.id, contacts.id),
      ),
    )
    .where(eq(contacts.id, contactId));
  return new Set(rows.map((row) => foldAddress(row.email)));
}

/** Under what the records of a contact (uuid) are found. An address that is somebody else's now is not among them. */
export async function recordsOf(
  executor: Executor,
  { id, email }: { id: string; email: string },
): Promise<RecordsOf> {
  const merged = await executor
    .select({
      id: mergedContacts.contactId,
      email: mergedContacts.email,
      formerEmail: mergedContacts.formerEmail,
    })
    .from(mergedContacts)
    .where(eq(mergedContacts.keptId, id));
  const former = merged.flatMap((one) => [one.email, one.formerEmail]);
  const others = await othersAt(executor, id, former);
  const addresses = new Map(
    [email, ...former.filter((address) => !others.has(foldAddress(address)))].map((address) => [
      foldAddress(address),
      address,
    ]),
  );
  return { ids: [id, ...merged.map((one) => one.id)], addresses: [...addresses.values()] };
}

/**
 * The same with the addresses that the contacts had before these were changed (`former`): what stands under them is
 * the person's, to be handed out and erased. For nothing else: a link that was mailed there has no say at the new
 * address.
 */
export async function allRecordsOf(
  executor: Executor,
  contact: { id: string; email: string },
): Promise<RecordsOf & { former: ReadonlySet<string> }> {
  const { ids, addresses } = await recordsOf(executor, contact);
  const under = sql`any(${sql.param(ids)}::uuid[])`;
  const before = sql`${contactChanges.before} ->> 'email'`;
  const rows = await executor.execute<{ email: string }>(sql`
    select ${before} as email from ${contactChanges}
    where ${contactChanges.contactId} = ${under} and ${before} is not null
    union select ${personRequests.previousEmail} from ${personRequests}
    where ${personRequests.contactId} = ${under} and ${personRequests.previousEmail} is not null`);
  const changed = rows.map((row) => row.email);
  const others = await othersAt(executor, contact.id, changed);
  const known = new Map(addresses.map((address) => [foldAddress(address), address]));
  const former = new Set<string>();
  for (const address of changed) {
    const folded = foldAddress(address);
    if (others.has(folded) || known.has(folded)) continue;
    known.set(folded, address);
    former.add(address);
  }
  return { ids, addresses: [...known.values()], former };
}

/** The contact (uuid) that an id belongs to now; null: to none. */
export async function findPerson(
  executor: Executor,
  contactId: string,
): Promise<{ id: string; projectId: string } | null> {
  const [row] = await executor
    .select({ id: contacts.id, projectId: contacts.projectId })
    .from(contacts)
    .where(eq(contacts.id, personOf(sql`${contactId}::uuid`)));
  return row ?? null;
}
