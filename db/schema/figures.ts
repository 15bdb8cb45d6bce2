import { bigint, integer, pgTable, primaryKey, smallint, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";

const count = (name: string) => integer(name).notNull().default(0);

/**
 * What happened to mail, by hour and campaign: writers add what they flush, pages and statistics only sum it.
 * No foreign keys, as on emails. Slots keep concurrent writers off each other's rows.
 */
export const hourlyFigures = pgTable(
  "hourly_figures",
  {
    projectId: uuid("project_id").notNull(),
    /** All zeros for mail outside campaigns. */
    campaignId: uuid("campaign_id").notNull(),
    hour: instant("hour").notNull(),
    /** The writer's slot, 0 to 255; for mail in an A/B test plus 256 times its variant. */
    slot: smallint("slot").notNull(),
    /** Emails no longer waiting: sent, refused or failed. A campaign has the rest left. */
    settled: count("settled"),
    /** Handed to a mail server that took or refused it for good: bounces are a share of these. */
    sent: count("sent"),
    delivered: count("delivered"),
    /** Of `delivered`, those without a report: an open, click or complaint proves them. */
    inferred: count("inferred"),
    /** People who opened for the first time, not machines. */
    opened: count("opened"),
    clicked: count("clicked"),
    bounced: count("bounced"),
    complained: count("complained"),
    unsubscribed: count("unsubscribed"),
    failed: count("failed"),
    opens: count("opens"),
    clicks: count("clicks"),
    machineOpens: count("machine_opens"),
    machineClicks: count("machine_clicks"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.campaignId, table.hour, table.slot] })],
);

/** Clicks on one link, added at each flush. */
export const linkFigures = pgTable(
  "link_figures",
  {
    linkId: bigint("link_id", { mode: "bigint" }).notNull(),
    slot: smallint("slot").notNull(),
    clicks: count("clicks"),
    uniqueClicks: count("unique_clicks"),
    machineClicks: count("machine_clicks"),
  },
  (table) => [primaryKey({ columns: [table.linkId, table.slot] })],
);
