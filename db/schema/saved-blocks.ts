import { sql } from "drizzle-orm";
import { json, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, updatedAt } from "./columns";
import { projects } from "./projects";

/** Blocks of the visual editor under a name, to be put into any of the project's mails. */
export const savedBlocks = pgTable(
  "saved_blocks",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** As they stand in a design, their keys in their order. */
    content: json("content").$type<object[]>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("saved_blocks_name").on(table.projectId, sql`lower(${table.name})`)],
);
