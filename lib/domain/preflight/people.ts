import { sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";
import { contacts, subscribers } from "@/db/schema";
import { tookTooLong } from "@/db/time-limit";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import type { MailPerson } from "@/lib/domain/campaigns/mail-problems";
import { audienceCondition } from "@/lib/domain/campaigns/audience";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { slowRead } from "@/lib/ground/slow-reads";
import type { ContactFields } from "@/lib/mail/content/variables";

/** Up to this many people are all looked at. */
const mostWhole = 20_000;
/** Of more, about this many, always the same ones. */
const sampleSize = 8_000;
const longestSeconds = 8;
const mostExamples = 3;
/** How many people the mail is rendered for: those we know most about, and the first ones. */
const renderedOfEachKind = 2;
const mostKeys = 500;

/** What is known about the values that templates can print, across (a sample of) an audience. */
export interface AudienceFields {
  /** People looked at. */
  people: number;
  /** For each path, in order: how many people have a value there, and some who have not. */
  paths: { having: number; lacking: string[] }[];
  /** Keys of their custom data. */
  keys: string[];
  /** To render the mail for. */
  persons: MailPerson[];
}

interface Choice {
  filter: SegmentFilter | null;
  listId: string | null;
  topicId: string | null;
}

const isFilled = (value: SQL) => sql`coalesce(${value}, '') not in ('', '[]', '{}')`;
const inData = (path: readonly string[]) => sql`people.data #>> ${sql.param([...path])}::text[]`;

/** SQL of whether one of `people` has something to print at a placeholder's path. */
function hasValue(path: readonly string[], { listId }: Choice): SQL {
  const [root = "", ...rest] = path;
  if (rest.length === 0) {
    if (root === "email" || root === "EMAIL") return sql`true`;
    if (root === "firstName" || root === "FIRST_NAME") return isFilled(sql`people.first_name`);
    if (root === "lastName" || root === "LAST_NAME") return isFilled(sql`people.last_name`);
    if (root === "tags") return sql`cardinality(people.tags) > 0`;
  }
  if (root === "data") return rest.length === 0 ? sql`true` : isFilled(inData(rest));
  if (listId === null || rest.length > 0) return isFilled(inData(path));
  return sql`(${isFilled(sql`people.fields ->> ${root}::text`)} or ${isFilled(inData(path))})`;
}

/** SQL for the contacts to look at: all of a small audience, a hashed part of a large one. */
function peopleFrom(row: Pick<CampaignRow, "projectId">, choice: Choice, audience: number): SQL {
  const every = audience <= mostWhole ? 1 : Math.floor(audience / sampleSize);
  const condition = audienceCondition(row.projectId, choice);
  const fields =
    choice.listId === null
      ? sql`null::jsonb`
      : sql`(select ${subscribers.fields} from ${subscribers}
          where ${subscribers.listId} = ${choice.listId} and ${subscribers.contactId} = ${c.id})`;
  const columns = sql`${c.id}, ${c.email}, ${c.firstName}, ${c.lastName}, ${c.tags}, ${c.data},
    ${fields} as fields`;
  if (every === 1)
    return sql`people as materialized (
      select ${columns} from ${contacts} c where ${condition} limit ${2 * mostWhole}
    )`;
  return sql`chosen as materialized (
      select ${contacts.id} from ${contacts}
      where ${contacts.projectId} = ${row.projectId}
        and mod(uuid_hash_extended(${contacts.id}, 0), ${every}) = 0
    ), people as materialized (
      -- Each by its key: of a project without statistics, everybody may be taken for one and compared with all.
      select person.* from chosen cross join lateral (
        select ${columns} from ${contacts} c where ${c.id} = chosen.id and ${condition} limit 1
      ) person
    )`;
}

interface AudienceRow extends Record<string, unknown> {
  people: number;
  paths: { having: number; lacking: string[] | null }[] | null;
  keys: string[] | null;
  persons: (ContactFields & { fields: Record<string, string> | null })[] | null;
}

/**
 * Examines an audience in one statement, whatever its size. null when that took too long. `audience`: how many
 * people it has.
 */
export async function readAudience(
  db: Database,
  row: Pick<CampaignRow, "projectId">,
  choice: Choice,
  { audience, paths }: { audience: number; paths: readonly (readonly string[])[] },
): Promise<AudienceFields | null> {
  const counted = paths.map((path) => {
    const has = hasValue(path, choice);
    return sql`jsonb_build_object('having', count(*) filter (where ${has}),
      'lacking', to_jsonb((array_agg(people.email) filter (where not ${has}))[1:${mostExamples}]))`;
  });
  const pathCounts =
    counted.length === 0
      ? sql`'[]'::jsonb`
      : sql`(select jsonb_build_array(${sql.join(counted, sql`, `)}) from people)`;
  const person = sql`jsonb_build_object('email', email, 'firstName', first_name, 'lastName', last_name,
    'tags', to_jsonb(tags), 'data', data, 'fields', fields)`;
  const rendered = (order: SQL) => sql`
    (select ${person} as person from people order by ${order} limit ${renderedOfEachKind})`;
  const statement = sql`
    with ${peopleFrom(row, choice, audience)}, keys as (
      select jsonb_object_keys(data) as key from people where jsonb_typeof(data) = 'object'
    ), persons as (
      ${rendered(sql`pg_column_size(data) desc, id`)} union all ${rendered(sql`id`)}
    )
    select (select count(*)::int from people) as people,
      ${pathCounts} as paths,
      (select array_agg(key) from (select distinct key from keys limit ${mostKeys}) k) as keys,
      (select jsonb_agg(person) from persons) as persons`;
  try {
    const [audience] = await slowRead({ db, projectId: row.projectId }, longestSeconds, (tx) =>
      tx.execute<AudienceRow>(statement),
    );
    return {
      people: audience?.people ?? 0,
      paths: (audience?.paths ?? []).map(({ having, lacking }) => ({
        having,
        lacking: lacking ?? [],
      })),
      keys: audience?.keys ?? [],
      persons: (audience?.persons ?? []).map(({ fields, ...contact }) => ({
        contact,
        listFields: fields,
        joinedBy: null,
      })),
    };
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    return null;
  }
}
