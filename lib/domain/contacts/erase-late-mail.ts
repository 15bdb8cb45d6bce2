import { and, asc, inArray, lte, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { emails, erasedContacts, inboundEmails } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { eraseDeliveries } from "@/lib/ground/events/erase-deliveries";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { eraseMail } from "./erase-mail";

/** Contacts that one transaction looks at. */
const batch = 1_000;
/** What was being written while a contact was deleted is there by then. */
const lateMinutes = 10;

interface LateMail extends Record<string, unknown> {
  project_id: string;
  mail: string[];
  addresses: string[];
}

async function eraseSome(tx: Transaction): Promise<number> {
  const due = await tx
    .select({ id: erasedContacts.contactId })
    .from(erasedContacts)
    .where(and(lte(erasedContacts.dueAt, now), worksHere(erasedContacts.projectId)))
    .orderBy(asc(erasedContacts.dueAt))
    .limit(batch)
    .for("update", { skipLocked: true });
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const found = await tx.execute<LateMail>(sql`
    select ${emails.projectId}, array_agg(${emails.id}) as mail,
      coalesce(array_agg(distinct ${emails.recipient}) filter (where ${emails.recipient} is not null), '{}') as addresses
    from ${emails} where ${emails.contactId} = any(${sql.param(ids)}::uuid[])
    group by ${emails.projectId}, ${emails.contactId}`);
  for (const { project_id: projectId, mail, addresses } of found) {
    await eraseMail(tx, projectId, { mail: sql`${sql.param(mail)}::uuid[]`, addresses });
  }
  const received = await tx
    .delete(inboundEmails)
    .where(inArray(inboundEmails.contactId, ids))
    .returning({ id: inboundEmails.id });
  await eraseDeliveries(tx, sql`${sql.param(received.map(({ id }) => id))}::uuid[]`);
  const looked = inArray(erasedContacts.contactId, ids);
  const last = sql`${erasedContacts.createdAt} + make_interval(mins => ${lateMinutes})`;
  await tx.delete(erasedContacts).where(and(looked, sql`${last} <= app_now()`));
  await tx.update(erasedContacts).set({ dueAt: last }).where(looked);
  return ids.length;
}

/**
 * Takes deleted people out of mail that was being accepted, or came in, while they were deleted: soon, and once more
 * when no statement of that time can be under way. Workers do not send it in the meantime. Resolves to how many
 * contacts were looked at.
 */
export async function eraseLateMail(db: Database, signal: AbortSignal): Promise<number> {
  let looked = 0;
  while (!signal.aborted) {
    const some = await retryConflicts(() => db.transaction(eraseSome));
    looked += some;
    if (some < batch) break;
  }
  return looked;
}
