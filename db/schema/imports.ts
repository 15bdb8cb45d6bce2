import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { importStatuses } from "@/db/enums";
import { createdAt, id, instant } from "./columns";
import { projects } from "./projects";

/**
 * An import of contacts. Its rows are staged; a worker takes them over in chunks past `doneLine`.
 */
export const contactImports = pgTable(
  "contact_imports",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    filename: text("filename").notNull().default(""),
    status: text("status", { enum: importStatuses }).notNull(),
    totalRows: integer("total_rows").notNull().default(0),
    /** Everything up to this line has been taken over or refused. */
    doneLine: integer("done_line").notNull().default(0),
    processed: integer("processed").notNull().default(0),
    created: integer("created").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    refused: integer("refused").notNull().default(0),
    /** Rows whose address occurs again further down: the last one counts. */
    duplicates: integer("duplicates").notNull().default(0),
    /** Rows that say "subscribed" for people who had unsubscribed, and who stay so. */
    keptUnsubscribed: integer("kept_unsubscribed").notNull().default(0),
    /** Put on everybody in the file, beside the tags they have. */
    tags: text("tags")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The list that everybody in the file joins. No foreign key: it may go while the import waits. */
    listId: uuid("list_id"),
    /** Who joined it, and who did not, since they had left it or everything. */
    joined: integer("joined").notNull().default(0),
    notJoined: integer("not_joined").notNull().default(0),
    /** What the list sends them ends up in the captured mailbox. */
    testMode: boolean("test_mode").notNull().default(false),
    failureReason: text("failure_reason"),
    /** Claims in a row that came to no end, with the present one: too many end it. */
    failedSteps: integer("failed_steps").notNull().default(0),
    /** When it is to be worked on next; doubles as the lease. */
    dueAt: instant("due_at"),
    leaseId: uuid("lease_id"),
    createdAt: createdAt(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    index("contact_imports_project").on(table.projectId, table.id),
    // The claim of imports to be worked on.
    index("contact_imports_due")
      .on(table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** A row of a CSV as it was read; refused ones keep their reason, the others go once taken over. */
export const contactImportRows = pgTable(
  "contact_import_rows",
  {
    importId: uuid("import_id")
      .notNull()
      .references(() => contactImports.id, { onDelete: "cascade" }),
    /** Which record of the file, the header being 1: without gaps, as the worker counts them. */
    line: integer("line").notNull(),
    /** The line it begins at; blank lines and line breaks in cells make the two differ. */
    fileLine: integer("file_line"),
    email: text("email"),
    firstName: text("first_name"),
    lastName: text("last_name"),
    tags: text("tags").array(),
    /** null: the file does not say. */
    subscribed: text("subscribed"),
    data: jsonb("data").$type<Record<string, unknown>>(),
    /** Why the row was refused; null: it was not. */
    refusal: text("refusal"),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    // Erasing an address.
    index("contact_import_rows_email").on(table.importId, sql`lower(${table.email})`),
  ],
);
