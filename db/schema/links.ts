import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, instant, now } from "./columns";

/** Where a tracked link leads: the token in the mail names the row, never the address. */
export const links = pgTable(
  "links",
  {
    /**
     * linkIdOf(messageId, url). Earlier versions, which may still run, count from 1 on: hence the identity.
     */
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedByDefaultAsIdentity(),
    projectId: uuid("project_id").notNull(),
    /** null outside campaigns. */
    campaignId: uuid("campaign_id"),
    messageId: uuid("message_id").notNull(),
    url: text("url").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // Registering a link once per message; md5 limits what the index holds of a long address.
    uniqueIndex("links_message_url").on(table.messageId, sql`md5(${table.url})`),
    // A campaign's link table.
    index("links_campaign")
      .on(table.campaignId)
      .where(sql`campaign_id is not null`),
    // Those that are to go: a campaign's stay with its figures.
    index("links_age")
      .on(table.projectId, table.createdAt)
      .where(sql`campaign_id is null`),
  ],
);

/** A person's first click on a link: makes unique clicks exact. */
export const linkClicks = pgTable(
  "link_clicks",
  {
    emailId: uuid("email_id").notNull(),
    linkId: bigint("link_id", { mode: "bigint" }).notNull(),
    clicks: integer("clicks").notNull().default(1),
    firstAt: instant("first_at").notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.emailId, table.linkId] }),
    // Who followed a link.
    index("link_clicks_link").on(table.linkId),
  ],
);
