import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { EmailStatus } from "@/db/enums";
import { contacts, emailEvents, emails } from "@/db/schema";

/** An email whose row is locked, so that what its events say stays true until the commit. */
interface LockedEmail {
  id: string;
  contact_id: string | null;
  status: EmailStatus;
}

const softBouncesThatAreHard = 5;

/** Whether the mail is still on its way, and has not been reported late before. */
export async function isNewlyDelayed(tx: Transaction, email: LockedEmail): Promise<boolean> {
  if (email.status !== "PENDING" && email.status !== "SENT") return false;
  const [noted] = await tx
    .select({ id: emailEvents.id })
    .from(emailEvents)
    .where(
      and(
        eq(emailEvents.emailId, email.id),
        eq(emailEvents.name, "deferred"),
        sql`${emailEvents.data} ->> 'via' is not null`,
      ),
    )
    .limit(1);
  return noted === undefined;
}

/** Whether its delivery was reported, rather than inferred from its reader. */
export async function isReportedDelivered(tx: Transaction, email: LockedEmail): Promise<boolean> {
  const [noted] = await tx
    .select({ id: emailEvents.id })
    .from(emailEvents)
    .where(and(eq(emailEvents.emailId, email.id), eq(emailEvents.name, "delivered")))
    .limit(1);
  return noted !== undefined;
}

/**
 * Types of the bounces recorded so far. A separate statement, since the one that locks sees only what was there
 * before it.
 */
export async function bouncesOf(tx: Transaction, email: LockedEmail): Promise<(string | null)[]> {
  const rows = await tx
    .select({ type: sql<string | null>`${emailEvents.data} ->> 'type'` })
    .from(emailEvents)
    .where(and(eq(emailEvents.emailId, email.id), eq(emailEvents.name, "bounced")));
  return rows.map(({ type }) => type);
}

/** Whether the address has bounced temporarily so often, with no delivery in between, that it counts as dead. */
export async function isWornOut(tx: Transaction, email: LockedEmail): Promise<boolean> {
  if (email.contact_id === null) return false;
  // Bounces of one person's mail that arrive together are counted one after the other.
  await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(eq(contacts.id, email.contact_id))
    .for("update");
  const [row] = await tx.execute<{ refused: number }>(sql`
    select count(distinct ${emails.id})::int as refused
    from ${emails} join ${emailEvents} on ${emailEvents.emailId} = ${emails.id}
      and ${emailEvents.name} = 'bounced'
    where ${emails.contactId} = ${email.contact_id} and ${emails.id} <> ${email.id}
      and ${emailEvents.createdAt} > coalesce(
        (select max(${emails.deliveredAt}) from ${emails}
          where ${emails.contactId} = ${email.contact_id}),
        '-infinity')`);
  return (row?.refused ?? 0) + 1 >= softBouncesThatAreHard;
}
