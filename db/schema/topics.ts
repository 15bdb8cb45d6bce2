import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, updatedAt } from "./columns";
import { contacts } from "./contacts";
import { projects } from "./projects";

/** What a project writes about: a campaign has one, and people leave them one by one. */
export const topics = pgTable(
  "topics",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** For the people who choose; may be empty. */
    description: text("description").notNull().default(""),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("topics_name").on(table.projectId, sql`lower(${table.name})`)],
);

/** People who want no more of a topic. */
export const topicDepartures = pgTable(
  "topic_departures",
  {
    topicId: uuid("topic_id")
      .notNull()
      .references(() => topics.id, { onDelete: "cascade" }),
    contactId: uuid("contact_id")
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    projectId: uuid("project_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.topicId, table.contactId] }),
    // A contact's topics; for ON DELETE of the contact.
    index("topic_departures_contact").on(table.contactId),
  ],
);
