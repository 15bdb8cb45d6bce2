import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant, now } from "./columns";

/**
 * Where a row stands in the stream of events: its transaction's number, so that whatever lies before the oldest
 * transaction under way is complete. The migration gives the default, which a restored database shifts.
 */
export const position = () => bigint("position", { mode: "bigint" });

/** What projects are told about besides the events of emails, which are in email_events. */
export const projectEvents = pgTable(
  "project_events",
  {
    projectId: uuid("project_id").notNull(),
    position: position()
      .notNull()
      .default(sql`(pg_current_xact_id()::text)::bigint`),
    id: uuid("id").notNull(),
    event: text("event").notNull(),
    /** The incoming mail or the contact it is about. */
    subjectId: uuid("subject_id"),
    /** As in webhook_deliveries. */
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // The stream, and its clean-up, project by project.
    primaryKey({ columns: [table.projectId, table.position, table.id] }),
    // Deleting a contact removes what is said about it here, too.
    index("project_events_subject")
      .on(table.subjectId)
      .where(sql`subject_id is not null`),
  ],
);

/** Hourly: all positions below this one were complete at that time. */
export const eventMarks = pgTable("event_marks", {
  at: instant("at").primaryKey().default(now),
  position: position().notNull(),
});

/** One row: which cluster the positions were counted in, and what is added to its transactions' numbers. */
export const eventClock = pgTable("event_clock", {
  cluster: text("cluster").primaryKey(),
  shift: bigint("shift", { mode: "bigint" }).notNull(),
});
