import { sql, type SQL } from "drizzle-orm";
import { assignments, columns, excluded, fixed, insertSelected } from "@/db/names";
import { contacts, forgottenAddresses } from "@/db/schema";
import { toldContactEvents } from "@/lib/ground/events/emit";
import { writtenConsentChanges } from "./consent-changes";
import { restoredSuppressions } from "./forgotten";
import { contactKey, lockedContact } from "./rows";

const consentGiven = sql`case when wanted.subscribed then 'subscribed' else 'unsubscribed' end`;

/** `wanted`: one row per address. The last word on a contact's subscription within the statement wins. */
const wanted = sql`wanted as materialized (
      select project_id, lower(email) as key, (array_agg(email order by nth))[1] as email,
        (array_agg(new_contact order by nth))[1] as id, min(forgotten) as forgotten,
        (array_agg(subscribed order by nth desc) filter (where subscribed is not null))[1] as subscribed,
        min(origin) as origin, (array_agg(actor_id order by nth))[1] as actor_id
      from person group by project_id, lower(email)
    )`;

/** `existing_contact`: contacts that already exist. */
const existingContacts = sql`existing_contact as materialized (
      select ${contacts.id}, ${contacts.projectId}, ${contacts.email}, wanted.key
      from wanted join ${contacts}
        on ${contacts.projectId} = wanted.project_id and lower(${contacts.email}) = wanted.key
    )`;

/** `new_contact`: contacts that did not exist, or that somebody else created in the meantime. */
const newContacts = sql`new_contact as (
      ${insertSelected(contacts, {
        id: sql`wanted.id`,
        projectId: sql`wanted.project_id`,
        email: sql`wanted.email`,
        consent: sql`case
          when subscribed then 'subscribed'
          when not subscribed or ${forgottenAddresses.hash} is not null then 'unsubscribed'
          else 'never' end`,
      })}
      from wanted left join ${forgottenAddresses}
        on ${forgottenAddresses.projectId} = wanted.project_id
        and ${forgottenAddresses.hash} = wanted.forgotten
      where not exists (select from existing_contact
        where existing_contact.project_id = wanted.project_id and existing_contact.key = wanted.key)
      order by wanted.project_id, key
      on conflict (${contactKey}) do update set ${assignments(contacts, {
        consent: sql`case when (select subscribed from wanted given
            where given.project_id = ${excluded(contacts.projectId)}
              and given.key = lower(${excluded(contacts.email)})) is null
          then ${contacts.consent} else ${excluded(contacts.consent)} end`,
      })}
      returning ${contacts}.*
    ), returned as (
      select new_contact.project_id, new_contact.email, wanted.forgotten
      from new_contact join wanted on wanted.project_id = new_contact.project_id and wanted.key = lower(new_contact.email)
    ), ${restoredSuppressions("returned")}`;

/** `changed`: existing contacts whose consent the request sets, locked first to know the previous value. */
const changed = sql`locked as materialized (
      select asked.*, existing.consent as before
      from (select project_id, key, ${consentGiven} as consent_given, origin, actor_id from wanted
        where wanted.subscribed is not null order by project_id, key) asked
      cross join lateral ${lockedContact(sql`asked.project_id`, sql`asked.key`)} existing
    ), changed as (
      update ${contacts} set ${assignments(contacts, {
        consent: sql`locked.consent_given`,
        updatedAt: sql`app_now()`,
      })}
      from existing_contact join locked using (project_id, key)
      where ${contacts.id} = existing_contact.id and locked.before <> locked.consent_given
      returning ${contacts}.*
    )`;

const remembered = sql`remembered as (
      ${writtenConsentChanges(
        sql`(
        select changed.project_id, changed.id as contact_id, before, consent, origin, actor_id
        from changed
        join locked on locked.project_id = changed.project_id and key = lower(changed.email)
        union all
        -- Of one that somebody else made meanwhile, what was before is not known.
        select new_contact.project_id, new_contact.id, null, consent, origin, actor_id
        from new_contact
        join wanted on wanted.project_id = new_contact.project_id and wanted.key = lower(new_contact.email)
        where wanted.id = new_contact.id or wanted.subscribed is not null) one`,
        { origin: sql`origin`, actorId: sql`actor_id` },
      )}
    )`;

/** A contact that somebody else created in the meantime was not created here. */
const told = sql`told as (
      select 'contact.created' as event, '{}'::jsonb as more, new_contact.*
      from new_contact where id in (select id from wanted)
      union all
      select 'contact.' || consent, '{}', changed.* from changed
    ), ${toldContactEvents(sql`told`)}`;

/**
 * SQL of CTEs that find or create the contacts that mail is addressed to, change their consent if the request mentions it, and notify the webhooks.
 *
 * Reads `person`: `project_id`, `email`, `nth` (its place in the request), `new_contact` (the uuid if it
 * is to be made), `forgotten` (the hash), `subscribed` (null: not said), `origin` and `actor_id` (ChangedBy). Leaves `contact`: `id`,
 * `project_id`, `email`, `key` (the address in lower case).
 */
export const addressedContacts: SQL =
  fixed(sql`${wanted}, ${existingContacts}, ${newContacts}, ${changed}, ${remembered}, ${told},
    contact as materialized (
      select ${columns(contacts.id, contacts.projectId, contacts.email)}, key from existing_contact
      union all
      select ${columns(contacts.id, contacts.projectId, contacts.email)}, lower(email) from new_contact
    )`);

/** The same for mail that makes nobody a contact: who is none has no row in `contact`. */
export const knownContacts: SQL = fixed(sql`${wanted}, ${existingContacts},
    contact as materialized (
      select ${columns(contacts.id, contacts.projectId, contacts.email)}, key from existing_contact
    )`);
