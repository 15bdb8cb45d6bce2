import { bigint, integer, pgTable, primaryKey, smallint, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";

const count = (name: string) => integer(name).notNull().default(0);

/**
 * What happened to mail, by hour and campaign: writers add what they flush, pages and statistics only add up.
 * No foreign keys, as on emails. Slots keep concurrent writers away from each other's rows.
 */
export const hourlyFigures = pgTable(
  "hourly_figures",
  {
    projectId: uuid("project_id").notNull(),
    /** All zeros for mail outside campaigns. */
    campaignId: uuid("campaign_id").notNull(),
    hour: instant("hour").notNull(),
    /** The writer's slot, 0 to 255; of mail in an A/B test plus 256 times its variant. */
    slot: smallint("slot").notNull(),
    /** Emails that are not waiting any more: sent, refused or failed. What is left of a campaign is the rest. */
    settled: count("settled"),
    /** Handed to a mail server, which took it or refused it for good: what bounced is a share of it. */
    sent: count("sent"),
    delivered: count("delivered"),
    /** Of `delivered`, those that only their reader proves: opened, clicked or complained about, and no report. */
    inferred: count("inferred"),
    /** People who opened for the first time; machines are not among them. */
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

/** Clicks of one link, added per flush. */
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
