import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { consentOrigins } from "@/db/enums";
import { createdAt, id, updatedAt } from "./columns";

/** The fields of a contact that a change concerned, each with its value; attributes are under `data`. */
export interface ChangedFields {
  email?: string;
  firstName?: string;
  lastName?: string;
  tags?: string[];
  data?: Record<string, unknown>;
}

/**
 * Every change of a contact's names, address, tags and attributes. Written by the trigger contact_changed, whichever
 * statement changes the contact; who did it is what that transaction has said (lib/domain/contacts/changing.ts).
 * No foreign keys, as for mail. Kept as long as the audit log.
 */
export const contactChanges = pgTable(
  "contact_changes",
  {
    id: uuid("id").notNull(),
    projectId: uuid("project_id").notNull(),
    contactId: uuid("contact_id").notNull(),
    /** Only what changed; a key that is in one of the two alone was added or removed. */
    before: jsonb("before").$type<ChangedFields>().notNull(),
    after: jsonb("after").$type<ChangedFields>().notNull(),
    /** null: the statement did not say. */
    origin: text("origin", { enum: consentOrigins }),
    /** The user or the API key. */
    actorId: uuid("actor_id"),
    importId: uuid("import_id"),
    /** The sign-up form that the person filled in. */
    formId: uuid("form_id"),
    /** The change that this one takes back. */
    undoes: uuid("undoes"),
    createdAt: createdAt(),
  },
  (table) => [
    // A contact's changes, newest first, and deleting it.
    primaryKey({ columns: [table.contactId, table.createdAt, table.id] }),
    // Deleting old ones, and those of a project.
    index("contact_changes_age").on(table.projectId, table.createdAt),
    // Whether a change has been taken back, which happens once.
    uniqueIndex("contact_changes_undoes")
      .on(table.undoes)
      .where(sql`undoes is not null`),
  ],
);

/** What members note about a person; recipients never see it. Goes with the contact. */
export const contactNotes = pgTable(
  "contact_notes",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    contactId: uuid("contact_id").notNull(),
    text: text("text").notNull(),
    authorType: text("author_type", { enum: ["user", "apiKey"] }).notNull(),
    authorId: uuid("author_id").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // A contact's notes, newest first, and deleting it.
    index("contact_notes_contact").on(table.contactId, table.createdAt, table.id),
    // Deleting a project.
    index("contact_notes_project").on(table.projectId),
  ],
);
