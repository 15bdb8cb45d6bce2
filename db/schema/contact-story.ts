import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { consentOrigins } from "@/db/enums";
import { createdAt, id, instant, now, updatedAt } from "./columns";
import { contacts } from "./contacts";

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

/**
 * Contacts that were merged into another. Their ids stay in history that is never rewritten, and in links that were
 * mailed; whoever reads these asks here whose they are now. Always the contact that is there: when that one is merged
 * in its turn, its rows name the next. Goes with the contact.
 */
export const mergedContacts = pgTable(
  "merged_contacts",
  {
    /** The id that is no longer a contact's. */
    contactId: uuid("contact_id").primaryKey(),
    projectId: uuid("project_id").notNull(),
    keptId: uuid("kept_id")
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    /** The address of the one that was merged. */
    email: text("email").notNull(),
    /** The address, of the two, that no longer gets mail. */
    formerEmail: text("former_email").notNull(),
    origin: text("origin", { enum: consentOrigins }).notNull(),
    /** The user or the API key. */
    actorId: uuid("actor_id"),
    /** When its mail had become the other's; null: not all of it has been looked at. */
    movedAt: instant("moved_at"),
    createdAt: createdAt(),
  },
  (table) => [
    // What belongs to a contact, and ON DELETE of it.
    index("merged_contacts_kept").on(table.keptId),
    // Those whose mail is still to be moved.
    index("merged_contacts_unmoved")
      .on(table.createdAt)
      .where(sql`moved_at is null`),
    // Deleting a project.
    index("merged_contacts_project").on(table.projectId),
  ],
);

/**
 * Contacts that were deleted in the last minutes. What was being written for them meanwhile did not know of it, and is
 * looked for under their ids. These say nothing about anybody.
 */
export const erasedContacts = pgTable(
  "erased_contacts",
  {
    contactId: uuid("contact_id").primaryKey(),
    projectId: uuid("project_id").notNull(),
    /** When it is looked for next. */
    dueAt: instant("due_at").notNull().default(now),
    createdAt: createdAt(),
  },
  (table) => [
    // The next to look at.
    index("erased_contacts_due").on(table.dueAt),
    // Deleting a project.
    index("erased_contacts_project").on(table.projectId),
  ],
);
