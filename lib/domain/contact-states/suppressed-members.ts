import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { SuppressionReason } from "@/db/enums";
import { assignments } from "@/db/names";
import { consentChanges, contacts, subscribers } from "@/db/schema";

/**
 * SQL that marks the memberships of people whose address no longer takes mail as bounced or complained, the latter taking precedence. People who left a list stay unsubscribed there.
 *
 * A bounce of mail to an address that the person no longer has is none of theirs.
 *
 * @param source a CTE's name: `contact_id`, `recipient` and `suppress`, the reason (null: nothing is to be done)
 */
export function markSuppressedMembers(source: string): SQL {
  const reported = sql.identifier(source);
  return sql`update ${subscribers} set ${assignments(subscribers, {
    updatedAt: sql`app_now()`,
    status: sql`case ${reported}.suppress when 'complaint' then 'complained' else 'bounced' end`,
  })}
    from ${reported}
    where ${subscribers.contactId} = ${reported}.contact_id
      and (${reported}.suppress in ('hard_bounce', 'complaint')
          and ${subscribers.status} in ('subscribed', 'unconfirmed')
        or ${reported}.suppress = 'complaint' and ${subscribers.status} = 'bounced')
      and (${reported}.suppress = 'complaint' or exists (select from ${contacts}
        where ${contacts.id} = ${reported}.contact_id
          and lower(${contacts.email}) = lower(${reported}.recipient)))`;
}

/**
 * What somebody becomes who joins a list while their address is suppressed for a bounce or a complaint: what its
 * members became then. Null: what the list makes of everybody.
 */
export function joiningStatus(
  suppressed: SuppressionReason | null,
): "bounced" | "complained" | null {
  if (suppressed === "complaint") return "complained";
  return suppressed === "hard_bounce" ? "bounced" : null;
}

/** Whether somebody whom a bounce ended had not confirmed yet: marking them wrote no history. */
const hadNotConfirmed = sql`(select ${consentChanges.after} from ${consentChanges}
  where ${consentChanges.projectId} = ${subscribers.projectId}
    and ${consentChanges.contactId} = ${subscribers.contactId}
    and ${consentChanges.listId} = ${subscribers.listId}
  order by ${consentChanges.id} desc limit 1) = 'unconfirmed'`;

/** What somebody was whom a bounce ended. */
const beforeBounce = sql`case when ${hadNotConfirmed} then 'unconfirmed' else 'subscribed' end`;

/**
 * Undoes this for a contact (uuid) whose address takes mail again: they are what they were. Somebody who complained
 * counts as having left the list.
 */
export async function restoreMembers(tx: Transaction, contactId: string): Promise<void> {
  await tx
    .update(subscribers)
    .set({
      updatedAt: sql`app_now()`,
      status: sql`case when ${subscribers.status} <> 'bounced' then 'unsubscribed'
        else ${beforeBounce} end`,
    })
    .where(
      and(
        eq(subscribers.contactId, contactId),
        inArray(subscribers.status, ["bounced", "complained"]),
      ),
    );
}

/** Leaves behind, for a contact (uuid) at another address, what bounced at the former one. */
export async function restoreBounced(tx: Transaction, contactId: string): Promise<void> {
  await tx
    .update(subscribers)
    .set({ updatedAt: sql`app_now()`, status: beforeBounce })
    .where(and(eq(subscribers.contactId, contactId), eq(subscribers.status, "bounced")));
}
