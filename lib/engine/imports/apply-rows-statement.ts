import { sql, type SQL } from "drizzle-orm";
import { assignments, insertSelected, newIdOf } from "@/db/names";
import { contactImportRows, contacts } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { whoChanges } from "@/lib/domain/contacts/changing";
import { writtenConsentChanges } from "@/lib/domain/contacts/consent-changes";
import { contactKey, lockedContact, wasThere } from "@/lib/domain/contacts/rows";
import { largestData, mostDataKeys, mostTags, tooLarge } from "@/lib/domain/contacts/schema";

export interface TakenOver extends Record<string, unknown> {
  created: number;
  updated: number;
  refused: number;
  kept: number;
  /** Addresses in lower case whose rows must be looked at again. */
  again: string[];
  /** uuids of the contacts, where they were asked for. */
  taken?: string[];
}

/** What is done to everybody in the file besides. */
export interface Besides {
  /** Put on them beside the tags they have. */
  tags: readonly string[];
  /** Whether they join a list, so that their ids are needed. */
  join: boolean;
  /** Whether that list asks for confirmation: until then, somebody new has agreed to nothing. */
  confirm: boolean;
}

const rows = contactImportRows;

/** `file_contacts`: what the rows say about each address. If an address appears twice, the later line wins. */
const rowsByAddress = (chunk: SQL | undefined): SQL => sql`file_contacts as materialized (
      select distinct on (lower(${rows.email})) lower(${rows.email}) as key, ${rows.line},
        ${rows.email}, ${rows.firstName}, ${rows.lastName}, ${rows.tags}, case ${rows.subscribed}
          when 'true' then 'subscribed' when 'false' then 'unsubscribed' end as consent,
        ${rows.data}
      from ${rows} where ${chunk}
      order by lower(${rows.email}), ${rows.line} desc
    )`;

/**
 * `existing_contacts`: addresses that are already contacts, locked. A file says "subscribed" for everybody, which says nothing about somebody who has unsubscribed. Even compressed, 64 kB take at least some hundred bytes, so most rows need not be merged to be measured.
 */
const existingContacts = (projectId: string): SQL => sql`existing_contacts as materialized (
      select existing.id, existing.consent as before, file_contacts.*,
        file_contacts.consent = 'subscribed' and existing.consent = 'unsubscribed' as stays_unsubscribed,
        pg_column_size(existing.data) + pg_column_size(file_contacts.data) > 250
          and (length((existing.data || file_contacts.data)::text) > ${largestData}
            or (select count(*) from jsonb_object_keys(existing.data || file_contacts.data))
              > ${mostDataKeys}) as oversized
      from (select * from file_contacts order by key) file_contacts
      cross join lateral ${lockedContact(sql`${projectId}`, sql`file_contacts.key`)} existing
    )`;

/** The tags with those of the import; who would have more than a hundred keeps those they have. */
function withTags(tags: SQL, more: readonly string[]): SQL {
  if (more.length === 0) return tags;
  const merged = sql`${tags} || array(select tag from unnest(${sql.param(more)}::text[])
    with ordinality as added(tag, place) where tag <> all(${tags}) order by place)`;
  return sql`case when cardinality(${merged}) <= ${mostTags} then ${merged} else ${tags} end`;
}

const changed = ({ tags }: Besides) => sql`changed as (
      update ${contacts} set ${assignments(contacts, {
        firstName: sql`coalesce(existing_contacts.first_name, ${contacts.firstName})`,
        lastName: sql`coalesce(existing_contacts.last_name, ${contacts.lastName})`,
        consent: sql`case when stays_unsubscribed then ${contacts.consent}
          else coalesce(existing_contacts.consent, ${contacts.consent}) end`,
        tags: withTags(sql`coalesce(existing_contacts.tags, ${contacts.tags})`, tags),
        data: sql`${contacts.data} || existing_contacts.data`,
        updatedAt: now,
      })}
      from existing_contacts cross join who
      where ${contacts.id} = existing_contacts.id and not oversized
      returning ${contacts.id}, ${contacts.consent}, existing_contacts.before
    )`;

/** Addresses in lower case that were once deleted for good. */
export interface Forgotten {
  all: readonly string[];
  /** Those whose person had objected to mail: as little as for one who has unsubscribed is a file their word. */
  objected: readonly string[];
}

/** `new_contacts`: the others, except those that somebody else has created, or deleted, since we looked. */
const newContacts = (
  projectId: string,
  { all, objected }: Forgotten,
  { tags, confirm }: Besides,
): SQL => sql`new_contacts as (
      ${insertSelected(contacts, {
        id: newIdOf(sql`${projectId}::uuid`),
        projectId: sql`${projectId}::uuid`,
        email: sql`email`,
        firstName: sql`coalesce(first_name, '')`,
        lastName: sql`coalesce(last_name, '')`,
        consent: sql`case when key = any(${sql.param(objected)}::text[]) then 'unsubscribed'
          else coalesce(consent, case when key = any(${sql.param(all)}::text[]) then 'unsubscribed'
            else ${confirm ? sql`'never'` : sql`'subscribed'`} end) end`,
        tags: withTags(sql`coalesce(tags, '{}')`, tags),
        data: sql`data`,
      })}
      -- Hashed, whatever the planner thinks of a chunk's size; keys are never null.
      from file_contacts where key not in (select key from existing_contacts)
        and not ${wasThere(sql`${projectId}`, sql`key`)}
      order by key
      on conflict (${contactKey}) do nothing
      returning ${contacts.id}, ${contacts.consent}, null::text as before, lower(${contacts.email}) as key
    )`;

const refused = (importId: string): SQL => sql`refused as (
      update ${contactImportRows} set ${assignments(contactImportRows, {
        refusal: sql`${tooLarge}`,
      })}
      from existing_contacts
      where ${contactImportRows.importId} = ${importId} and ${contactImportRows.line} = existing_contacts.line
        and oversized
    )`;

/**
 * Imports the rows of a chunk: changes existing contacts, creates the others, refuses what would exceed a contact's limits. One row: TakenOver. `again` are contacts that somebody else has created or deleted since we looked, and those of refused rows, for which an earlier line may fit.
 *
 * @param forgotten addresses (lower case) that were once deleted for good
 */
export function takeOverStatement(
  { projectId, importId }: { projectId: string; importId: string },
  chunk: SQL | undefined,
  forgotten: Forgotten,
  besides: Besides,
): SQL {
  const taken = besides.join
    ? sql`, array(select id from changed union all select id from new_contacts) as taken`
    : sql``;
  return sql`
    with who as materialized (
      select ${whoChanges({ origin: "import", importId })}
    ), ${rowsByAddress(chunk)}, ${existingContacts(projectId)}, ${changed(besides)}, ${newContacts(projectId, forgotten, besides)},
    ${refused(importId)}, remembered as (
      ${writtenConsentChanges(
        sql`(
        select ${projectId}::uuid as project_id, id as contact_id, before, consent from changed
        union all
        select ${projectId}::uuid, id, before, consent from new_contacts) one`,
        { origin: sql`'import'`, importId: sql`${importId}::uuid` },
      )}
    )
    select (select count(*) from new_contacts)::int as created, (select count(*) from changed)::int as updated,
      (select count(*) from existing_contacts where oversized)::int as refused,
      ((select count(*) from existing_contacts where stays_unsubscribed and not oversized)
        + (select count(*) from new_contacts join file_contacts using (key)
          where file_contacts.consent = 'subscribed'
            and key = any(${sql.param(forgotten.objected)}::text[])))::int as kept,
      array(select key from existing_contacts where oversized
        union all
        select key from file_contacts
        where key not in (select key from existing_contacts) and key not in (select key from new_contacts)) as again${taken}`;
}
