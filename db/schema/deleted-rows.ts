import { index, integer, json, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, now } from "./columns";
import { projects } from "./projects";

/** What was deleted a few minutes ago, row by row, so that it can be brought back as it was. */
export const deletedRows = pgTable(
  "deleted_rows",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** The thing that they were, or were part of. */
    thingId: uuid("thing_id").notNull(),
    tableName: text("table_name").notNull(),
    place: integer("place").notNull(),
    /** By column; what is JSON in it has its keys in their order. */
    row: json("row").$type<object>().notNull(),
    deletedAt: instant("deleted_at").notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.thingId, table.tableName, table.place] }),
    // Deleting a project.
    index("deleted_rows_project").on(table.projectId),
    // The clean-up.
    index("deleted_rows_age").on(table.deletedAt),
  ],
);
