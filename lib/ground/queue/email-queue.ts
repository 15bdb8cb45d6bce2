import { sql, type SQL } from "drizzle-orm";
import { fixed } from "@/db/names";
import { emailQueue } from "@/db/schema";

/*
 * The conditions of the queue's indexes, in their words. Mail that an update wakes gets a new place: that
 * is how the workers find it.
 */

const awake = sql`not ${emailQueue.asleep} and ${emailQueue.warmupRank} is null`;

/** Awake mail that belongs to no campaign. */
export const awakeOutsideCampaigns = fixed(sql`${emailQueue.campaignId} is null and ${awake}`);
/** Awake mail of campaigns. */
export const awakeOfCampaigns = fixed(sql`${emailQueue.campaignId} is not null and ${awake}`);
/** Awake mail by its place. */
export const awakeByPlace = fixed(sql`${awake} and ${emailQueue.place} > '0'::xid8`);
/** Sleeping mail of campaigns. */
export const asleepOfCampaigns = fixed(
  sql`${emailQueue.campaignId} is not null and ${emailQueue.asleep}`,
);
/** Mail that waits for the warm-up of its domain. */
export const warmingMail = fixed(sql`${emailQueue.warmupRank} is not null`);

/**
 * The rows of the queue that the CTE names by the column. A plain join is planned by how many rows the queue
 * had at its last vacuum, usually none, and then reads all of it for each row of the CTE.
 */
export const queuedIn = (cte: string, column: string, condition: SQL = sql`true`) =>
  sql`${emailQueue.emailId} = any(array(
    select ${sql.identifier(column)} from ${sql.identifier(cte)} where ${condition}))`;

/** The place of mail that wakes now: behind everything that waits. */
export const newPlace = sql`pg_current_xact_id()`;
