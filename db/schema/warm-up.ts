import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, now } from "./columns";
import { domains } from "./domains";

const day = (name: string) => date(name, { mode: "string" });
const count = (name: string) => integer(name).notNull().default(0);

/**
 * The plan by which a domain's campaign mail grows. Releasing mail or changing the plan locks the row,
 * which makes the cap exact across workers and campaigns. Days are UTC days.
 */
export const warmups = pgTable("warmups", {
  domainId: uuid("domain_id")
    .primaryKey()
    .references(() => domains.id, { onDelete: "cascade" }),
  projectId: uuid("project_id").notNull(),
  enabled: boolean("enabled").notNull(),
  /** Emails per day, from the first day on. */
  schedule: integer("schedule").array().notNull(),
  startedOn: day("started_on").notNull(),
  /** Days on which the plan did not advance. */
  lag: smallint("lag").notNull().default(0),
  /** How often the day's cap is halved. */
  slowed: smallint("slowed").notNull().default(0),
  slowedReason: text("slowed_reason", { enum: ["bounces", "complaints"] }),
  slowedMessage: text("slowed_message"),
  /** Results before it are no reason any more. */
  slowedAt: instant("slowed_at"),
  /** The last day that the plan was brought up to. */
  rolledOn: day("rolled_on").notNull(),
  /** From when days without mail count as idle, if no mail has gone out. */
  enabledAt: instant("enabled_at").notNull().default(now),
  /** When the plan itself last changed, not how far it has come; null: not since this column exists. */
  updatedAt: instant("updated_at"),
});

/** The caps that applied, for the chart; `cap` is null once the plan has ended. */
export const warmupDays = pgTable(
  "warmup_days",
  {
    domainId: uuid("domain_id")
      .notNull()
      .references(() => domains.id, { onDelete: "cascade" }),
    day: day("day").notNull(),
    cap: integer("cap"),
    slowed: text("slowed"),
  },
  (table) => [primaryKey({ columns: [table.domainId, table.day] })],
);

/**
 * A receiver with bad results, or one that asked for less: it gets less than before, whatever room the domain's
 * cap leaves. Held under the lock of the domain's plan.
 */
export const warmupReceivers = pgTable(
  "warmup_receivers",
  {
    domainId: uuid("domain_id")
      .notNull()
      .references(() => domains.id, { onDelete: "cascade" }),
    /** Who runs its servers: `google.com`. */
    receiver: text("receiver").notNull(),
    /** Emails on the best of the seven days before. */
    usual: integer("usual").notNull(),
    /** How often `usual` is halved; below 0: doubled, on its way back. */
    slowed: smallint("slowed").notNull(),
    reason: text("reason", { enum: ["bounces", "complaints", "throttled"] }).notNull(),
    message: text("message").notNull(),
    /** Results before it are no reason any more. */
    slowedAt: instant("slowed_at").notNull(),
    rolledOn: day("rolled_on").notNull(),
  },
  (table) => [primaryKey({ columns: [table.domainId, table.receiver] })],
);

/** The same as warmup_hours, by receiver, while the plan runs; kept for eight days. */
export const warmupReceiverHours = pgTable(
  "warmup_receiver_hours",
  {
    domainId: uuid("domain_id").notNull(),
    hour: instant("hour").notNull(),
    receiver: text("receiver").notNull(),
    slot: smallint("slot").notNull(),
    sent: count("sent"),
    bounced: count("bounced"),
    complained: count("complained"),
  },
  (table) => [
    primaryKey({ columns: [table.domainId, table.hour, table.receiver, table.slot] }),
    index("warmup_receiver_hours_hour").on(table.hour),
  ],
);

/** Who takes mail for a recipient domain: its first MX's operator. Looked up again after a week. */
export const receivingDomains = pgTable("receiving_domains", {
  /** In lower case. */
  name: text("name").primaryKey(),
  /** `google.com` for `aspmx.l.google.com`; the domain itself if nobody else takes it. */
  receiver: text("receiver").notNull(),
  lookedUpAt: instant("looked_up_at").notNull().default(now),
});

/** Mail from a domain being warmed up, by hour; slots, no foreign keys, as in hourly_figures. */
export const warmupHours = pgTable(
  "warmup_hours",
  {
    domainId: uuid("domain_id").notNull(),
    hour: instant("hour").notNull(),
    slot: smallint("slot").notNull(),
    transactional: count("transactional"),
    campaigns: count("campaigns"),
    bounced: count("bounced"),
    complained: count("complained"),
  },
  (table) => [primaryKey({ columns: [table.domainId, table.hour, table.slot] })],
);
