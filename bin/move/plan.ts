import { getTableColumns, getTableName } from "drizzle-orm";
import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import { projectTables, type ProjectTable } from "@/db/project-tables";
import * as tables from "@/db/schema";

/*
 * What is copied of each table, and when. Large tables are copied while the project is used, and what changes of
 * them meanwhile is written down and copied again. All others are copied while the project is closed: they are
 * small, and they hold whatever would let somebody in or set work going before it is opened.
 */

/** Quoted, for SQL. Values are uuids, numbers and names of ours: nothing else is put into a statement's text. */
export const quoted = (name: string) => `"${name}"`;
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Copied before the project is closed. */
const early: ReadonlySet<PgTable> = new Set<PgTable>([
  ...[tables.contacts, tables.subscribers, tables.topicDepartures, tables.suppressions],
  ...[tables.contactChanges, tables.consentChanges, tables.messages, tables.messageAttachments],
  ...[tables.attachmentBlobs, tables.relayedMessages, tables.emails, tables.emailEvents],
  ...[tables.links, tables.linkClicks, tables.linkFigures, tables.hourlyFigures],
  ...[tables.capturedEmails, tables.inboundEmails, tables.webhookDeliveries],
  ...[tables.projectEvents, tables.idempotencyKeys, tables.auditLog, tables.campaignVersions],
  tables.mailAboutContacts,
]);

/** Rows that are due: they come last, since a worker there would begin with them at once. */
const work = new Map<PgTable, PgColumn>([
  [tables.webhookDeliveries, tables.webhookDeliveries.dueAt],
]);

/** Numbers that the other database gives itself: the order of its own transactions. */
const leftOut: ReadonlySet<PgColumn> = new Set<PgColumn>([tables.emailQueue.place]);

/** Columns that name people: somebody may be known there under another id. */
const ofPeople = new Set(["user_id", "reader_user_id", "author_id", "invited_by", "actor_id"]);

export interface Planned {
  name: string;
  /** All that are copied. */
  columns: readonly PgColumn[];
  /** A row's own, in which order the rows are copied. */
  key: readonly PgColumn[];
  /** What is written down of a change: all rows that have these values are copied again. */
  unit: readonly PgColumn[];
  early: boolean;
  /** Of rows that come last; null: none do. */
  dueColumn: string | null;
  by: PgColumn;
  parent: string | null;
}

function planOf({ table, by, parent }: ProjectTable): Planned {
  const { columns, primaryKeys } = getTableConfig(table);
  const single = columns.filter(({ primary }) => primary);
  const keyNames = primaryKeys[0]?.columns.map(({ name }) => name);
  // Those of a key of several columns are not the same objects.
  const key =
    keyNames?.flatMap((name) => columns.filter((column) => column.name === name)) ?? single;
  // Without a primary key; an email has few events.
  const { emailId, createdAt, id } = tables.emailEvents;
  const isEvents = (table as unknown) === tables.emailEvents;
  // Its own project_id where it has one: what is copied early stands there before a parent that comes late.
  const project = columns.find(({ name }) => name === "project_id");
  return {
    name: getTableName(table),
    columns: Object.values<PgColumn>(getTableColumns(table)).filter(
      (column) => column.generated === undefined && !leftOut.has(column),
    ),
    key: isEvents ? [emailId, createdAt, id] : key,
    unit: isEvents ? [emailId] : key,
    early: early.has(table),
    dueColumn: work.get(table)?.name ?? null,
    by: project ?? by,
    parent: parent && !project ? getTableName(parent) : null,
  };
}

/** Parents before children. */
export const plan: readonly Planned[] = [
  planOf({ table: tables.projects, by: tables.projects.id }),
  ...projectTables.toReversed().map(planOf),
];
export const earlyTables = plan.filter((table) => table.early);
export const lateTables = plan.filter((table) => !table.early);

/** SQL of whether a row of the table is the project's. */
export function isOf({ name, by, parent, early: isEarly }: Planned, projectId: string): string {
  const owner = literal(projectId);
  const column = `${quoted(name)}.${quoted(by.name)}`;
  if (parent === null) return `${column} = ${owner}`;
  if (!isEarly) {
    return `${column} = any(array(select id from ${quoted(parent)} where project_id = ${owner}))`;
  }
  return `exists (select from ${quoted(parent)} parent
    where parent.id = ${column} and parent.project_id = ${owner})`;
}

/** Which of its rows come last, the rest before. */
export function isDue({ name, dueColumn }: Planned, due: boolean): string {
  if (dueColumn === null) return due ? "false" : "true";
  return `${quoted(name)}.${quoted(dueColumn)} is ${due ? "not null" : "null"}`;
}

/** People who have another id there, by the one they have here. */
export type OtherIds = ReadonlyMap<string, string>;

/** What is read of a row, in the order of `columns`. */
export function selected({ name, columns }: Planned, people: OtherIds): string {
  return columns
    .map((column) => {
      const read = `${quoted(name)}.${quoted(column.name)}`;
      if (!ofPeople.has(column.name) || people.size === 0) return read;
      const other = [...people].map(
        ([here, there]) => `when ${literal(here)} then ${literal(there)}::uuid`,
      );
      return `case ${read} ${other.join(" ")} else ${read} end as ${quoted(column.name)}`;
    })
    .join(", ");
}

/** The names alone, as the row is written. */
export const listed = (columns: readonly PgColumn[]) =>
  columns.map(({ name }) => quoted(name)).join(", ");
