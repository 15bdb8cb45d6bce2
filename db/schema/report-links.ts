import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { campaigns } from "./campaigns";
import { createdAt, id, instant } from "./columns";
import { projects } from "./projects";

/**
 * Links that open a campaign's report without signing in, until they are deleted. Their token is made of the id and
 * APP_SECRET, so that these rows alone open nothing.
 */
export const reportLinks = pgTable(
  "report_links",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    /** Who it is for, in the words of whoever made it; the report does not show it. */
    name: text("name").notNull().default(""),
    /** null: it opens until it is deleted. */
    expiresAt: instant("expires_at"),
    /** null: the product itself. */
    authorType: text("author_type", { enum: ["user", "apiKey"] }),
    authorId: uuid("author_id"),
    opens: integer("opens").notNull().default(0),
    lastOpenedAt: instant("last_opened_at"),
    createdAt: createdAt(),
  },
  (table) => [
    // A campaign's links, newest first, and deleting it.
    index("report_links_campaign").on(table.campaignId, table.id),
    // Deleting a project.
    index("report_links_project").on(table.projectId),
  ],
);
