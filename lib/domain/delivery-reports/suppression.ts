import { sql, type SQL } from "drizzle-orm";
import { assignments, columns, fixed, insertSelected, newIdOf } from "@/db/names";
import { contacts, suppressions } from "@/db/schema";
import { writtenConsentChanges } from "@/lib/domain/contacts/consent-changes";
import { markSuppressedMembers } from "@/lib/domain/contact-states/suppressed-members";
import { toldContactEvents } from "@/lib/ground/events/emit";

/** What an event's data says about why mail came back, as a suppression keeps it; null: nothing. */
export function wordsOf(data: Readonly<Record<string, unknown>>): string | null {
  const words = data["response"] ?? data["description"];
  return typeof words === "string" && words !== "" ? words : null;
}

/**
 * SQL of CTEs with the consequences of a complaint or a hard bounce: the address is suppressed, memberships are marked, people who complained are unsubscribed, and the webhooks are notified of that. `contacts_told` has a row per
 * delivery that was made.
 *
 * @param source a CTE's name: `id` (the email's), `project_id`, `contact_id`, `recipient` (null: deleted for good),
 *   `suppress`, the reason (null: nothing is to be done), and `words`, what was said of it
 */
export function suppressedRecipients(source: string): SQL {
  const reported = sql.identifier(source);
  return fixed(sql`suppressed as (
      ${insertSelected(suppressions, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        email: sql`recipient`,
        reason: sql`suppress`,
        emailId: sql`id`,
        response: sql`words`,
        source: sql`case suppress when 'complaint' then 'complaint' else 'bounce' end`,
      })}
      from ${reported} where suppress is not null and recipient is not null
      order by project_id, lower(recipient)
      on conflict (${columns(suppressions.projectId)}, lower(${columns(suppressions.email)})) do nothing
    ), complainers as materialized (
      -- Locked in order, to know what was: of two reports on one person the second finds it done.
      select distinct on (known.id) known.id as contact_id, known.consent as before, reported.email_id
      from (select contact_id, id as email_id from ${reported}
        where suppress = 'complaint' order by contact_id) reported
      cross join lateral (select ${contacts.id}, ${contacts.consent} from ${contacts}
        where ${contacts.id} = reported.contact_id for update) known
    ), unsubscribed as (
      update ${contacts} set ${assignments(contacts, {
        consent: sql`'unsubscribed'`,
        updatedAt: sql`app_now()`,
      })}
      from complainers
      where ${contacts.id} = complainers.contact_id and complainers.before <> 'unsubscribed'
      returning ${contacts}.*, 'contact.unsubscribed' as event, '{}'::jsonb as more
    ), remembered as (
      ${writtenConsentChanges(
        sql`(select unsubscribed.project_id, unsubscribed.id as contact_id, before, consent, email_id
          from unsubscribed join complainers on complainers.contact_id = unsubscribed.id) one`,
        { origin: sql`'complaint'`, emailId: sql`email_id` },
      )}
    ), ${toldContactEvents(sql`unsubscribed`)}, struck as (
      ${markSuppressedMembers(source)}
    )`);
}
