import { sql, type SQL } from "drizzle-orm";
import { fixed } from "@/db/names";
import { emails } from "@/db/schema";
import { ownedBy } from "@/lib/ground/by-id";

/*
 * Mail to people who were no contacts when it was sent: tests, which make nobody one. It has an index of its own. By the
 * hash of its project, and in its order, the planner cannot take another, which would read all of the project's mail.
 */

/** SQL: the address in lower case that such an email went to; null for all other mail. */
export const strangerOf = fixed(
  sql`(case when ${emails.contactId} is null then lower(${emails.recipient}) end)`,
);

const ofProject = (projectId: string) =>
  sql`uuid_hash_extended(${emails.projectId}, 0) = uuid_hash_extended(${projectId}::uuid, 0)
    and ${ownedBy(emails.projectId, projectId)}`;

/** SQL: a select of id and recipient of up to `most` such emails of the project (a uuid). */
export const strangersMail = (projectId: string, most: number): SQL => sql`
  select ${emails.id}, ${emails.recipient} from ${emails}
  where ${ofProject(projectId)} and ${strangerOf} is not null
  order by ${strangerOf} limit ${most}::int`;

/** SQL: a select of the ids of those to one of these addresses, in whatever case. */
export const mailToStrangers = (projectId: string, addresses: readonly string[]): SQL => sql`
  select mail.id from unnest(${sql.param(addresses)}::text[]) address cross join lateral (
    select ${emails.id} from ${emails}
    where ${ofProject(projectId)} and ${strangerOf} = lower(address) offset 0
  ) mail`;
