import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { uniqueIndex } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import { roleNames, type KeptKind, type TeamLetterKind } from "@/db/enums";
import { createdAt, id, instant, now, updatedAt } from "./columns";
import { users } from "./users";

export const projects = pgTable("projects", {
  id: id(),
  name: text("name").notNull(),
  /** Emails per calendar month (UTC); null: no limit. */
  monthlyEmailLimit: integer("monthly_email_limit"),
  /** Requests a minute for sends, per key; null: the product's default. */
  sendsPerMinute: integer("sends_per_minute"),
  /** Requests per 10 seconds for all else, per key; null: the product's default. */
  requestsPerTenSeconds: integer("requests_per_ten_seconds"),
  /** The sender's postal address, as the footer of campaign mail shows it, with line breaks. */
  postalAddress: text("postal_address").notNull().default(""),
  /** Why people get its campaigns, as the footer says it; empty: what is known about the person. */
  mailReason: text("mail_reason").notNull().default(""),
  /** Days for which it is kept, by kind; absent: as long as the installation keeps it. */
  retention: jsonb("retention").$type<Partial<Record<KeptKind, number>>>().notNull().default({}),
  /** All events of its emails from before this were deleted; null: none were, by age. */
  eventsGoneBefore: instant("events_gone_before"),
  /** BCP 47, for its pages and mails to people whose own language is not known. */
  language: text("language").notNull().default("en"),
  /** #rrggbb, for buttons on the pages its recipients see; null: ours. */
  brandColor: text("brand_color"),
  /** What its emails begin with in the visual editor: look, colours, logo; null: ours. */
  brand: jsonb("brand").$type<object>(),
  /** Members whose sign-in takes one step are let in once it takes two. Programs are not asked. */
  requiresTwoStep: boolean("requires_two_step").notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const memberships = pgTable(
  "memberships",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: roleNames }).notNull(),
    /**
     * Which mails about the project the member asked for or declined; absent: the role's default.
     */
    letters: jsonb("letters")
      .$type<Partial<Record<TeamLetterKind, boolean>>>()
      .notNull()
      .default({}),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    // The project switcher: projects of a user.
    index("memberships_user").on(table.userId),
  ],
);

/** Whom a project asks to become a member; the row goes once they have answered. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    role: text("role", { enum: roleNames }).notNull(),
    /** Without a foreign key: it stands when whoever sent it has gone. */
    invitedBy: uuid("invited_by").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // Once per person and project.
    uniqueIndex("invitations_email").on(table.projectId, sql`lower(${table.email})`),
    // Those that somebody who signs in has not answered.
    index("invitations_person").on(sql`lower(${table.email})`),
  ],
);

/**
 * How many campaign emails a project sends per hour; without a row: as many as possible. Claiming some locks the
 * row, so that any number of workers keep to one pace.
 */
export const projectPaces = pgTable("project_paces", {
  projectId: uuid("project_id")
    .primaryKey()
    .references(() => projects.id, { onDelete: "cascade" }),
  perHour: integer("per_hour").notNull(),
  /** Emails that might be claimed at `measuredAt`; they grow over time, to a few seconds' worth. */
  allowance: doublePrecision("allowance").notNull(),
  measuredAt: instant("measured_at").notNull().default(now),
});

/** Emails accepted by a project in a month; counted in the accepting transaction. */
export const monthlyUsage = pgTable(
  "monthly_usage",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** First day of the month, UTC. */
    month: date("month").notNull(),
    /** Projects without a limit spread their count over slots: no sender waits for another's commit. */
    slot: smallint("slot").notNull().default(0),
    emails: bigint("emails", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.month, table.slot] })],
);

/** One person's platform API token in one project: hash to find it, sealed text to show it. */
export const platformTokens = pgTable(
  "platform_tokens",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    hash: text("hash").notNull(),
    sealed: text("sealed").notNull(),
    createdAt: createdAt(),
    rotatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("platform_tokens_owner").on(table.projectId, table.userId),
    // Authentication of a platform request.
    uniqueIndex("platform_tokens_hash").on(table.hash),
  ],
);

/**
 * Projects that were deleted, while their data is being removed. Without a foreign key: it stays until
 * nothing can come in late any more. Only what it names may be deleted from the history of consent.
 */
export const projectDeletions = pgTable("project_deletions", {
  projectId: uuid("project_id").primaryKey(),
  askedAt: instant("asked_at").notNull().default(now),
  /** When all of it was gone, including the project's own row; null: not yet. */
  emptiedAt: instant("emptied_at"),
});

/** Settings that the installation generates once for itself. */
export const installation = pgTable("installation", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
  createdAt: createdAt(),
});

export const sqlMonth = sql`date_trunc('month', app_now() at time zone 'UTC')::date`;
