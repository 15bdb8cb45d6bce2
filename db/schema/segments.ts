import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, instant, updatedAt } from "./columns";
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
    /** When it is next to be counted; doubles as the lease of who counts. */
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
