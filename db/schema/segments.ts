import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
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
    filter: jsonb("filter").$type<Record<string, unknown>>().notNull(),
    contactCount: integer("contact_count").notNull().default(0),
    countedAt: instant("counted_at"),
    /** How long the last count took: it says how often the next ones may be. */
    countMilliseconds: integer("count_milliseconds").notNull().default(0),
    /** When somebody last looked at it, to the minute: what nobody looks at is not counted. */
    viewedAt: instant("viewed_at").notNull().default(now),
    /** When it is next to be counted; null: not before somebody looks. Who counts holds the row. */
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
