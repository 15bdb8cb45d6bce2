import { sql } from "drizzle-orm";
import { boolean, customType, index, pgTable, real, smallint, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/** The number of a transaction. Text in JavaScript. */
const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/**
 * Mail that is not finished, one narrow row each; `emails` is the record of it. A row goes when its mail is
 * settled. Waiting: awake (may be claimed), asleep (until due_at), or warming (warmup_rank).
 */
export const emailQueue = pgTable(
  "email_queue",
  {
    emailId: uuid("email_id").primaryKey(),
    projectId: uuid("project_id").notNull(),
    campaignId: uuid("campaign_id"),
    /**
     * The transaction that made it claimable. Awake mail is claimed in this order, and a reader who knows
     * which transactions were over at the last look can skip everything before (see lanes.ts).
     */
    place: xid8("place")
      .notNull()
      .default(sql`pg_current_xact_id()`),
    /**
     * When it is due. infinity: when the winner of its campaign's A/B test is known or, outside campaigns, when
     * mail from its sender may go on (sender_pauses). null: it is warming.
     */
    dueAt: instant("due_at"),
    /** Due later, not at once: not to be claimed until that time has come (see wakeSleepers). */
    asleep: boolean("asleep").notNull().default(false),
    /**
     * Waits for the warm-up of its domain, without due_at: the smaller, the sooner it is let out (days since
     * its person last opened or clicked). null: does not wait for that.
     */
    warmupRank: real("warmup_rank"),
    /** While claimed. No index covers it: claiming and renewing stay on the page (HOT). */
    leaseId: uuid("lease_id"),
    leaseUntil: instant("lease_until"),
    attempts: smallint("attempts").notNull().default(0),
    /** When it was claimed first. The message bears this date at each try: what is sent twice has the same bytes. */
    begunAt: instant("begun_at"),
    /** Claims in a row, before the last one, that ended with their lease and not with a result. */
    unfinishedClaims: smallint("unfinished_claims").notNull().default(0),
    /** Those of its attempts that ended with their worker: no server refused it then. */
    interruptedAttempts: smallint("interrupted_attempts").notNull().default(0),
    /** Not to be sent from then on; null: no such limit. */
    sendBefore: instant("send_before"),
  },
  (table) => [
    // The claim of mail outside campaigns.
    index("email_queue_projects")
      .on(table.projectId, table.place, table.emailId)
      .where(sql`campaign_id is null and not asleep and warmup_rank is null`),
    // The claim of campaign mail: by campaign, so that a paused one's mail is not scanned.
    index("email_queue_campaigns")
      .on(table.campaignId, table.place, table.emailId)
      .where(sql`campaign_id is not null and not asleep and warmup_rank is null`),
    // What has become claimable since a worker last looked.
    index("email_queue_places")
      .on(table.place)
      // Worded as no lane's look-up is: in this order, one would walk past all other lanes' mail.
      .where(sql`not asleep and warmup_rank is null and place > '0'::xid8`),
    // What is scheduled or to be tried again, until its time has come.
    index("email_queue_asleep")
      .on(table.dueAt)
      .where(sql`asleep`),
    // The later tries of a campaign that is cancelled, and what waits for the winner of its A/B test.
    index("email_queue_campaign_asleep")
      .on(table.campaignId, table.dueAt)
      .where(sql`campaign_id is not null and asleep`),
    // What waits for the warm-up of its campaign's domain, the most engaged people first.
    index("email_queue_warming")
      .on(table.campaignId, table.warmupRank, table.emailId)
      .where(sql`warmup_rank is not null`),
    // Mail that a worker has died with: claimed separately from the second time on. Hardly ever any.
    index("email_queue_unfinished")
      .on(table.emailId)
      .where(sql`unfinished_claims > 0`),
  ],
);
