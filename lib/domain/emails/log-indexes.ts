import { sql, type SQL } from "drizzle-orm";
import { emails, messages } from "@/db/schema";
import { lowestId, type LogPlace } from "./log-place";

/*
 * The log is walked along an index, whatever the planner thinks there is behind it: of what it takes for little it would
 * read all and sort that. Conditions on rows of the index's columns, and its whole order, leave it no other way.
 */

/** An index that has emails or messages in the order of time behind its first columns. */
export interface LogIndex {
  /** Its first columns, and SQL of what they are to be. */
  keys: readonly (readonly [column: SQL, value: SQL])[];
  /** What a partial index holds. */
  holds?: SQL;
  time: SQL;
  /** null: it has none, so that emails of one instant are sorted. */
  id: SQL | null;
}

const row = (parts: readonly SQL[]) => sql`(${sql.join([...parts], sql`, `)})`;

/** Conditions that keep to a stretch of the index: behind a place, and not before `from` (SQL of a time). */
export function alongIndex({ keys, holds, time, id }: LogIndex, place: LogPlace, from: SQL): SQL[] {
  const columns = keys.map(([column]) => column);
  const values = keys.map(([, value]) => value);
  const at = sql`${place.at}::timestamptz`;
  const newest = id
    ? sql`${row([...columns, time, id])} < ${row([...values, at, sql`${place.id}::uuid`])}`
    : place.id === lowestId
      ? sql`${row([...columns, time])} < ${row([...values, at])}`
      : sql`${row([...columns, time])} <= ${row([...values, at])}`;
  return [
    ...(holds ? [holds] : []),
    newest,
    sql`${row([...columns, time])} >= ${row([...values, from])}`,
  ];
}

export const orderOf = ({ keys, time, id }: LogIndex, tie?: SQL): SQL =>
  sql`order by ${sql.join(
    [...keys.map(([column]) => column), time, ...(id ? [id] : tie ? [tie] : [])].map(
      (part) => sql`${part} desc`,
    ),
    sql`, `,
  )}`;

const hashOf = (subject: SQL, projectId: SQL) =>
  sql`hashtextextended(${subject}, uuid_hash_extended(${projectId}, 0))`;

const bySubject = (of: typeof messages | typeof emails, projectId: string, subject: string) =>
  [
    hashOf(sql`${of.subject}`, sql`${of.projectId}`),
    hashOf(sql`${subject}::text`, sql`${projectId}::uuid`),
  ] as const;
const emailTime = { time: sql`${emails.createdAt}` };
const messageTime = { time: sql`${messages.createdAt}`, id: null };

/** Messages by their subject; their hash is all that is compared. */
export const messagesBySubject = (projectId: string, subject: string): LogIndex => ({
  keys: [bySubject(messages, projectId, subject)],
  ...messageTime,
});

export const messagesByTemplate = (templateId: string): LogIndex => ({
  keys: [[sql`${messages.templateId}`, sql`${templateId}::uuid`]],
  holds: sql`${messages.templateId} is not null`,
  ...messageTime,
});

/** Emails by the subject that one person got; its hash is all that is compared. */
export const emailsBySubject = (projectId: string, subject: string): LogIndex => ({
  keys: [bySubject(emails, projectId, subject)],
  holds: sql`${emails.subject} is not null`,
  ...emailTime,
  id: null,
});

export const emailsByTrouble = (projectId: string, trouble: string): LogIndex => ({
  keys: [
    [sql`${emails.projectId}`, sql`${projectId}::uuid`],
    [sql`${emails.trouble}`, sql`${trouble}::text`],
  ],
  holds: sql`${emails.trouble} is not null`,
  ...emailTime,
  id: sql`${emails.id}`,
});

/** All mail of the project. */
export const emailsOfLog = (projectId: string): LogIndex => ({
  keys: [[sql`${emails.projectId}`, sql`${projectId}::uuid`]],
  ...emailTime,
  id: sql`${emails.id}`,
});

/** What lists themselves send. */
export const emailsOfLists = (projectId: string): LogIndex => ({
  ...emailsOfLog(projectId),
  holds: sql`${emails.source} = 'LIST'`,
});

/** The mail of one contact: SQL of a uuid. */
export const emailsOfContact = (contactId: SQL): LogIndex => ({
  keys: [[sql`${emails.contactId}`, contactId]],
  ...emailTime,
  id: null,
});
