import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, createdAt, id } from "./columns";
import { emails } from "./emails";
import { projects } from "./projects";
import { users } from "./users";

/** What the capture transport and test keys would have handed to a mail server. */
export const capturedEmails = pgTable(
  "captured_emails",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    emailId: uuid("email_id").references(() => emails.id, {
      onDelete: "cascade",
    }),
    /** Mail of the platform itself: shown only to this person, since its links sign in as them. */
    readerUserId: uuid("reader_user_id").references(() => users.id, { onDelete: "cascade" }),
    envelopeFrom: text("envelope_from").notNull(),
    envelopeTo: text("envelope_to").notNull(),
    /** The whole message as it would have gone over the wire. */
    raw: bytea("raw").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("captured_emails_project").on(table.projectId, table.id),
    // A second hand-over of the same email replaces the first.
    uniqueIndex("captured_emails_email").on(table.emailId),
    // Erasing an address: mail sent around the log belongs to no email.
    index("captured_emails_recipient")
      .on(table.projectId, sql`lower(${table.envelopeTo})`)
      .where(sql`email_id is null`),
  ],
);
