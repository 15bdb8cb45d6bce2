import { sql } from "drizzle-orm";
import { foreignKey, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { savedViewPages } from "@/db/enums";
import { createdAt, id } from "./columns";
import { memberships } from "./projects";

/** Filters and order of a list page that a member has given a name. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    userId: uuid("user_id").notNull(),
    page: text("page", { enum: savedViewPages }).notNull(),
    name: text("name").notNull(),
    /** As the page's address has them. */
    query: jsonb("query").$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // When somebody leaves a project, their views go, too.
    foreignKey({
      name: "saved_views_membership",
      columns: [table.projectId, table.userId],
      foreignColumns: [memberships.projectId, memberships.userId],
    }).onDelete("cascade"),
    // A member's views, and that foreign key.
    uniqueIndex("saved_views_name").on(
      table.projectId,
      table.userId,
      table.page,
      sql`lower(${table.name})`,
    ),
  ],
);
