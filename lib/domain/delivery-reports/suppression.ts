import { sql, type SQL } from "drizzle-orm";
import { assignments, fixed, insertSelected } from "@/db/names";
import { contacts, suppressions } from "@/db/schema";
import { markSuppressedMembers } from "@/lib/domain/lists/suppressed-members";
import { contactEventDeliveries } from "@/lib/ground/events/emit";

/**
 * SQL of CTEs with what a complaint or a hard bounce causes: the address is suppressed, memberships are
 * marked, and who complained is unsubscribed, which the webhooks are told. `contacts_told` has a row per
 * delivery that was made.
 *
 * @param source a CTE's name: `project_id`, `contact_id`, `recipient` (null: deleted for good) and
 *   `suppress`, the reason (null: nothing is to be done)
 */
export function suppressedRecipients(source: string): SQL {
  const reported = sql.identifier(source);
  return fixed(sql`suppressed as (
      ${insertSelected(suppressions, {
        id: sql`new_id()`,
        projectId: sql`project_id`,
        email: sql`recipient`,
        reason: sql`suppress`,
      })}
      from ${reported} where suppress is not null and recipient is not null
      order by project_id, lower(recipient)
      on conflict (project_id, lower(email)) do nothing
    ), unsubscribed as (
      update ${contacts} set ${assignments(contacts, {
        consent: sql`'unsubscribed'`,
        updatedAt: sql`app_now()`,
      })}
      from ${reported}
      where ${contacts.id} = ${reported}.contact_id and ${reported}.suppress = 'complaint'
        and ${contacts.consent} <> 'unsubscribed'
      returning ${contacts}.*, 'contact.unsubscribed' as event, '{}'::jsonb as more
    ), contacts_told as (
      ${contactEventDeliveries(sql`unsubscribed`)}
    ), struck as (
      ${markSuppressedMembers(source)}
    )`);
}
