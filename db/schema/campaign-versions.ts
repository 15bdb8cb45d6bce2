import { index, integer, json, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { campaigns, type AbTest } from "./campaigns";
import { instant } from "./columns";
import { projects } from "./projects";

/**
 * What a campaign said before it was changed; the newest version is the campaign itself. It is saved while somebody
 * types, so that a version is kept only where they paused, where somebody else goes on, and of what was scheduled or
 * restored.
 */
export const campaignVersions = pgTable(
  "campaign_versions",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    subject: text("subject").notNull(),
    previewText: text("preview_text").notNull(),
    fromEmail: text("from_email").notNull(),
    fromName: text("from_name").notNull(),
    replyTo: text("reply_to"),
    html: text("html"),
    design: json("design").$type<object>(),
    text: text("text"),
    templateId: uuid("template_id"),
    abTest: jsonb("ab_test").$type<AbTest>(),
    /** null: the product itself, or not known. */
    authorType: text("author_type", { enum: ["user", "apiKey"] }),
    authorId: uuid("author_id"),
    /** When it was last written to. */
    savedAt: instant("saved_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.campaignId, table.version] }),
    // Deleting a campaign.
    index("campaign_versions_campaign").on(table.campaignId),
  ],
);
