import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, updatedAt } from "./columns";
import { projects } from "./projects";

export const templates = pgTable(
  "templates",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Liquid */
    subject: text("subject").notNull(),
    /** HTML with Liquid */
    body: text("body").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // Keyset and page list, newest first.
  (table) => [index("templates_project").on(table.projectId, table.id)],
);
