import { sql, type SQL } from "drizzle-orm";
import { assignments, insertSelected } from "@/db/names";
import { contactImportRows, contacts } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { writtenConsentChanges } from "@/lib/domain/contacts/consent-changes";
import { lockedContact } from "@/lib/domain/contacts/rows";
import { largestData, mostDataKeys, tooLarge } from "@/lib/domain/contacts/schema";

export interface TakenOver extends Record<string, unknown> {
  created: number;
  updated: number;
  refused: number;
  kept: number;
  /** Addresses in lower case whose rows are to be looked at once more. */
  again: string[];
}

/** `given`: what the rows say of each address. The same address twice: the later line wins. */
const rowsByAddress = (chunk: SQL | undefined): SQL => sql`given as materialized (
      select distinct on (lower(email)) lower(email) as key, line, email, first_name, last_name, tags,
        case subscribed when 'true' then 'subscribed' when 'false' then 'unsubscribed' end as consent,
        data
      from ${contactImportRows} where ${chunk}
      order by lower(email), line desc
    )`;

/**
 * `known`: those that are contacts, locked. A file says "subscribed" of everybody: that is no word on
 * somebody who has unsubscribed. Compressed, 64 kB take some hundred bytes at least: of most rows
 * nothing is merged to be measured.
 */
const knownContacts = (projectId: string): SQL => sql`known as materialized (
      select existing.id, existing.consent as before, given.*,
        given.consent = 'subscribed' and existing.consent = 'unsubscribed' as stays_unsubscribed,
        pg_column_size(existing.data) + pg_column_size(given.data) > 250
          and (length((existing.data || given.data)::text) > ${largestData}
            or (select count(*) from jsonb_object_keys(existing.data || given.data))
              > ${mostDataKeys}) as oversized
      from (select * from given order by key) given
      cross join lateral ${lockedContact(sql`${projectId}`, sql`given.key`)} existing
    )`;

const changed = sql`changed as (
      update ${contacts} set ${assignments(contacts, {
        firstName: sql`coalesce(known.first_name, ${contacts.firstName})`,
        lastName: sql`coalesce(known.last_name, ${contacts.lastName})`,
        consent: sql`case when stays_unsubscribed then ${contacts.consent}
          else coalesce(known.consent, ${contacts.consent}) end`,
        tags: sql`coalesce(known.tags, ${contacts.tags})`,
        data: sql`${contacts.data} || known.data`,
        updatedAt: now,
      })}
      from known
      where ${contacts.id} = known.id and not oversized
      returning ${contacts.id}, ${contacts.consent}, known.before
    )`;

/** `made`: the others, but for those that somebody else made since our look. */
const newContacts = (projectId: string, forgotten: readonly string[]): SQL => sql`made as (
      ${insertSelected(contacts, {
        id: sql`new_id()`,
        projectId: sql`${projectId}::uuid`,
        email: sql`email`,
        firstName: sql`coalesce(first_name, '')`,
        lastName: sql`coalesce(last_name, '')`,
        consent: sql`coalesce(consent, case
          when key = any(${sql.param(forgotten)}::text[]) then 'unsubscribed' else 'subscribed' end)`,
        tags: sql`coalesce(tags, '{}')`,
        data: sql`data`,
      })}
      -- Hashed, whatever the planner thinks of a chunk's size; keys are never null.
      from given where key not in (select key from known)
      order by key
      on conflict (project_id, lower(email)) do nothing
      returning ${contacts.id}, ${contacts.consent}, null::text as before, lower(email) as key
    )`;

const refused = (importId: string): SQL => sql`refused as (
      update ${contactImportRows} set ${assignments(contactImportRows, {
        refusal: sql`${tooLarge}`,
      })}
      from known
      where ${contactImportRows.importId} = ${importId} and ${contactImportRows.line} = known.line
        and oversized
    )`;

/**
 * Takes the rows of a chunk over into contacts: changes those that are there, makes the others, refuses
 * what would outgrow a contact. One row: TakenOver. `again` are contacts that somebody else made since our
 * look, and those of refused rows, of which an earlier line may fit.
 *
 * @param forgotten addresses (lower case) that were once deleted for good
 */
export function takeOverStatement(
  { projectId, importId }: { projectId: string; importId: string },
  chunk: SQL | undefined,
  forgotten: readonly string[],
): SQL {
  return sql`
    with ${rowsByAddress(chunk)}, ${knownContacts(projectId)}, ${changed}, ${newContacts(projectId, forgotten)},
    ${refused(importId)}, remembered as (
      ${writtenConsentChanges(
        sql`(
        select ${projectId}::uuid as project_id, id as contact_id, before, consent from changed
        union all
        select ${projectId}::uuid, id, before, consent from made) one`,
        { origin: sql`'import'`, importId: sql`${importId}::uuid` },
      )}
    )
    select (select count(*) from made)::int as created, (select count(*) from changed)::int as updated,
      (select count(*) from known where oversized)::int as refused,
      (select count(*) from known where stays_unsubscribed and not oversized)::int as kept,
      array(select key from known where oversized
        union all
        select key from given
        where key not in (select key from known) and key not in (select key from made)) as again`;
}
