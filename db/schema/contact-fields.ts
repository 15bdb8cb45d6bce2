import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bulkActions, bulkStatuses, contactFieldKinds, type BulkRefusal } from "../enums";
import { createdAt, id, instant, updatedAt } from "./columns";
import { projects } from "./projects";

/** What somebody has said about a key of contacts' data. Keys that nobody has described have no row. */
export const contactFields = pgTable(
  "contact_fields",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    key: text("key").notNull(),
    kind: text("kind", { enum: contactFieldKinds }).notNull(),
    description: text("description").notNull().default(""),
    /** From 1 on, without gaps. */
    position: integer("position").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.key] })],
);

/** How many contacts have a key of data, and what they hold under it. */
export interface CountedField {
  key: string;
  contacts: number;
  /** How many of the values are of each kind; `other`: lists and objects. */
  kinds: Record<"text" | "number" | "boolean" | "date" | "other", number>;
}

export interface CountedTag {
  tag: string;
  contacts: number;
}

/** What a project's contacts hold, as last counted: a million contacts are not counted for each view of a page. */
export const contactSurveys = pgTable(
  "contact_surveys",
  {
    projectId: uuid("project_id")
      .primaryKey()
      .references(() => projects.id, { onDelete: "cascade" }),
    contacts: integer("contacts").notNull().default(0),
    fields: jsonb("fields").$type<CountedField[]>().notNull().default([]),
    tags: jsonb("tags").$type<CountedTag[]>().notNull().default([]),
    countedAt: instant("counted_at"),
    /** How long the last count took, which decides how often it may be repeated. */
    countMilliseconds: integer("count_milliseconds").notNull().default(0),
    /** When the next count is due; null: not before somebody looks. Counting locks the row. */
    dueAt: instant("due_at"),
  },
  (table) => [
    index("contact_surveys_due")
      .on(table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Who began a change, for the histories of those it changes. */
export interface BulkStarter {
  actor: { type: "user" | "apiKey"; id: string } | { type: "system"; id: null };
  platformTokenId?: string;
  /** What it sends ends up in the captured mailbox. */
  testMode: boolean;
}

/**
 * A change to every contact of a project, which a worker makes in chunks past `cursor`; or to all that matched when it
 * was asked for, whose ids are in bulk_change_chunks.
 */
export const bulkChanges = pgTable(
  "bulk_changes",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    action: text("action", { enum: bulkActions }).notNull(),
    /** The key, the tag, or the list's name; empty for what needs none. */
    name: text("name").notNull(),
    /** The list that people join or leave. No foreign key: the list may go while the change waits. */
    listId: uuid("list_id"),
    /** Its new name; null where nothing is renamed. */
    newName: text("new_name"),
    /** Whose contacts, as the list's filter has it; null: all of the project's. */
    filter: jsonb("filter").$type<object>(),
    /** A rename first copies under the new name, then takes the old one away. */
    stage: text("stage", { enum: ["copy", "clear"] }).notNull(),
    status: text("status", { enum: bulkStatuses }).notNull().default("PENDING"),
    /** Contacts to look at, in both stages together, as counted when it began. */
    total: integer("total").notNull().default(0),
    processed: integer("processed").notNull().default(0),
    /** Contacts that it changed. */
    changed: integer("changed").notNull().default(0),
    /** How many contacts it passed over, by why. */
    refused: jsonb("refused").$type<Partial<Record<BulkRefusal, number>>>().notNull().default({}),
    /** Chunks that are done, of a change to chosen contacts. */
    chunksDone: integer("chunks_done").notNull().default(0),
    /** null: a change to all contacts, or one begun before this column existed. */
    startedBy: jsonb("started_by").$type<BulkStarter>(),
    /** Whether another change takes it back, or has; also when it is too old for that. */
    undone: boolean("undone").notNull().default(false),
    /** Contacts up to this uuid have been looked at in this stage. */
    cursor: uuid("cursor"),
    failedSteps: integer("failed_steps").notNull().default(0),
    failureReason: text("failure_reason"),
    /** When it is to be worked on next; doubles as the lease. */
    dueAt: instant("due_at"),
    leaseId: uuid("lease_id"),
    createdAt: createdAt(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    index("bulk_changes_project").on(table.projectId, table.id),
    // Two at once would undo each other's work.
    uniqueIndex("bulk_changes_one")
      .on(table.projectId)
      .where(sql`finished_at is null`),
    // The claim of changes to be worked on.
    index("bulk_changes_due")
      .on(table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Whom a change is about: fixed when it is asked for, so that nobody who matches later is touched. */
export const bulkChangeChunks = pgTable(
  "bulk_change_chunks",
  {
    changeId: uuid("change_id")
      .notNull()
      .references(() => bulkChanges.id, { onDelete: "cascade" }),
    /** From 0 on, without gaps. */
    position: integer("position").notNull(),
    contactIds: uuid("contact_ids").array().notNull(),
    /** Those whom it changed, for taking it back; null: not done yet, or it cannot be taken back. */
    changedIds: uuid("changed_ids").array(),
  },
  (table) => [primaryKey({ columns: [table.changeId, table.position] })],
);
