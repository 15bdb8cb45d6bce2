import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { AddressSuppressionReason } from "../enums";
import { createdAt, id, instant, now, updatedAt } from "./columns";
import { projects } from "./projects";

export const segments = pgTable(
  "segments",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** As the API has it; compiled to SQL when used. */
    filter: jsonb("filter").$type<object>().notNull(),
    contactCount: integer("contact_count").notNull().default(0),
    /** Those of them that campaigns skip, by the contact's state. */
    excluded: jsonb("excluded")
      .$type<Record<"never_subscribed" | "unsubscribed" | AddressSuppressionReason, number>>()
      .notNull()
      .default({ never_subscribed: 0, unsubscribed: 0, hard_bounce: 0, complaint: 0, manual: 0 }),
    countedAt: instant("counted_at"),
    /** How long the last count took, which decides how often it may be repeated. */
    countMilliseconds: integer("count_milliseconds").notNull().default(0),
    /** When somebody last viewed it, to the minute: a segment that nobody views is not counted. */
    viewedAt: instant("viewed_at").notNull().default(now),
    /** When the next count is due; null: not before somebody views it. Counting locks the row. */
    countDueAt: instant("count_due_at").default(sql`app_now()`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("segments_project").on(table.projectId, table.id),
    // The claim of segments to be counted.
    index("segments_due")
      .on(table.countDueAt)
      .where(sql`count_due_at is not null`),
  ],
);
