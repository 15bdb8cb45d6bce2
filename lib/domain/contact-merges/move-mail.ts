import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { errorCode, retryConflicts } from "@/db/errors";
import { contacts, emails, mergedContacts } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { log } from "@/lib/ground/log";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { movedMail } from "./waiting-mail";

/** Emails that one statement looks at. */
const batch = 1_000;
/** Emails that whoever merges waits for; a worker moves the others. */
const movedAtOnce = 10;
/** What was being accepted while the contact was merged is looked for that long. */
const lateMinutes = 10;

interface Place {
  at: string;
  id: string;
}

/** The contact (uuid) that another was merged into, locked; null: gone, or merged itself at this moment. */
async function lockKept(tx: Transaction, contactId: string): Promise<string | null> {
  const [row] = await tx.execute<{ id: string }>(sql`
    select ${contacts.id} from ${mergedContacts} join ${contacts} on ${contacts.id} = ${mergedContacts.keptId}
    where ${mergedContacts.contactId} = ${contactId} for no key update of ${contacts}`);
  return row?.id ?? null;
}

/** Moves the next emails; resolves to the last one looked at, null at the end, `"gone"` with the contact. */
async function moveSome(
  tx: Transaction,
  contactId: string,
  after: Place | null,
): Promise<Place | "gone" | null> {
  const kept = await lockKept(tx, contactId);
  if (kept === null) return "gone";
  const later = after
    ? sql`and (${emails.createdAt}, ${emails.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql``;
  const [last] = await tx.execute<Place & { many: number } & Record<string, unknown>>(sql`
    with page as materialized (
      select ${emails.id}, ${emails.createdAt}, ${emails.campaignId} from ${emails}
      where ${emails.contactId} = ${contactId} ${later}
      order by ${emails.createdAt}, ${emails.id} limit ${batch}
    ), moved as (${movedMail(kept, contactId)})
    select id, created_at::text as at, (count(*) over ())::int as many from page
    order by created_at desc, page.id desc limit 1`);
  return last && last.many === batch ? { at: last.at, id: last.id } : null;
}

/**
 * Makes the mail of a merged contact (uuid) that of the contact it was merged into, in short transactions. False:
 * there is more, or it has to be looked at again.
 */
export async function moveMail(
  db: Database,
  contactId: string,
  { batches = movedAtOnce, signal }: { batches?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  let after: Place | null = null;
  for (let done = 0; done < batches && !signal?.aborted; done++) {
    const from: Place | null = after;
    const next: Place | "gone" | null = await retryConflicts(() =>
      db.transaction((tx) => moveSome(tx, contactId, from)),
    );
    if (next === "gone") return false;
    if (next === null) return true;
    after = next;
  }
  return false;
}

/** Moves what is left of merged contacts' mail; resolves to how many of them were looked at. */
export async function moveMergedMail(db: Database, signal: AbortSignal): Promise<number> {
  const waiting = await db
    .select({
      contactId: mergedContacts.contactId,
      late: sql<boolean>`${mergedContacts.createdAt} < app_now() - make_interval(mins => ${lateMinutes})`,
    })
    .from(mergedContacts)
    .where(and(isNull(mergedContacts.movedAt), worksHere(mergedContacts.projectId)))
    .orderBy(asc(mergedContacts.createdAt))
    .limit(1_000);
  for (const { contactId, late } of waiting) {
    if (signal.aborted) break;
    try {
      const done = await moveMail(db, contactId, { batches: Infinity, signal });
      if (!done || !late) continue;
      await db
        .update(mergedContacts)
        .set({ movedAt: now })
        .where(eq(mergedContacts.contactId, contactId));
    } catch (error) {
      log.error({ code: errorCode(error) }, "Mail of a merged contact could not be moved.");
    }
  }
  return waiting.length;
}
