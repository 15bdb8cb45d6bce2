import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { campaignStatuses, type WinnerMetric } from "@/db/enums";
import { createdAt, id, instant, updatedAt } from "./columns";
import { projects } from "./projects";

/** Added to the links of a campaign's mail when wanted. */
export interface UtmParameters {
  source?: string;
  medium?: string;
  campaign?: string;
  term?: string;
  content?: string;
}

/** Why the guard paused a campaign, with the figures it judged by. */
export interface GuardPause {
  reason: "bounces" | "complaints" | "refusals";
  sent: number;
  bounced: number;
  complained: number;
}

/** Where the guard starts counting: an hour, and which of its figures no longer count. */
export interface GuardStart {
  /** ISO time. */
  hour: string;
  sent: number;
  delivered: number;
  /** Absent from those recorded before it was counted. */
  inferred?: number;
  bounced: number;
  complained: number;
}

/** A variant of an A/B test. What it leaves out is taken from the campaign. */
export interface AbTestVariant {
  subject: string;
  previewText?: string;
  fromName?: string;
  html?: string;
  /** What the visual editor made `html` from. */
  design?: object;
}

/** As the sender set it up. */
export interface AbTest {
  /** Two to five; variant 1 is the first. The campaign's subject is that of the first. */
  variants: AbTestVariant[];
  testPercentage: number;
  winnerMetric: WinnerMetric;
  winnerAfterMinutes: number;
}

/** Each person gets it at a time of their own, within a day after the start. */
export interface PersonalTime {
  /** local: at `at` where they are; reader: at the hour they usually read, `at` where that is not known. */
  mode: "local" | "reader";
  /** HH:MM */
  at: string;
}

/** How the winner was found. */
export interface WinnerDecision {
  by: "figures" | "person";
  metric: WinnerMetric;
  /** For each variant at that moment, in order. */
  variants: { tried: number; succeeded: number; probabilityToBeBest: number }[];
}

/**
 * Segment, list and template have no foreign keys: a draft whose segment was deleted must fail to send,
 * not fall back to everybody.
 */
export const campaigns = pgTable(
  "campaigns",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    subject: text("subject").notNull().default(""),
    previewText: text("preview_text").notNull().default(""),
    fromEmail: text("from_email").notNull().default(""),
    fromName: text("from_name").notNull().default(""),
    replyTo: text("reply_to"),
    html: text("html"),
    /** What the visual editor made `html` from, its keys in their order; null: it was written as HTML. */
    design: json("design").$type<object>(),
    /** The plain part as given; null: made from the HTML. */
    text: text("text"),
    templateId: uuid("template_id"),
    segmentId: uuid("segment_id"),
    listId: uuid("list_id"),
    /** Its topic; people who left the topic do not get it. */
    topicId: uuid("topic_id"),
    /** Overrides of the domain's setting. */
    trackOpens: boolean("track_opens"),
    trackClicks: boolean("track_clicks"),
    utm: jsonb("utm").$type<UtmParameters>(),
    /** Sent or scheduled with a test key: its mail is captured. */
    test: boolean("test").notNull().default(false),
    status: text("status", { enum: campaignStatuses }).notNull().default("DRAFT"),
    scheduledAt: instant("scheduled_at"),
    /** What has not been sent by then is not sent; null: it may take as long as it needs. */
    sendBefore: instant("send_before"),
    /** null: everybody at once. */
    personalTime: jsonb("personal_time").$type<PersonalTime>(),
    /** IANA name of the schedule's zone; with personal times, of people whose own is unknown. */
    timeZone: text("time_zone"),
    /** The frozen content, created when sending starts. */
    messageId: uuid("message_id"),
    startedAt: instant("started_at"),
    pausedAt: instant("paused_at"),
    /** When it ended: SENT, CANCELLED or FAILED. */
    finishedAt: instant("finished_at"),
    failureReason: text("failure_reason"),
    /** Set while the guard keeps it paused: resuming then needs an acknowledgement. */
    guard: jsonb("guard").$type<GuardPause>(),
    /** Set by that acknowledgement; null: all figures count. */
    guardStart: jsonb("guard_start").$type<GuardStart>(),
    /** Frozen recipients so far; grows while the audience is being written. */
    recipients: integer("recipients").notNull().default(0),
    /** Contacts up to this uuid are in the audience or were skipped. */
    audienceCursor: uuid("audience_cursor"),
    audienceDoneAt: instant("audience_done_at"),
    /** When its recipients' receivers were looked up. */
    receiversReadAt: instant("receivers_read_at"),
    /** The segment's filter that chose the audience: the segment may change or go afterwards. */
    audienceFilter: jsonb("audience_filter").$type<object>(),
    abTest: jsonb("ab_test").$type<AbTest>(),
    /** Of what it says; earlier ones are in campaign_versions. */
    contentVersion: integer("content_version").notNull().default(1),
    /** When what it says was last changed; null: before versions were kept. */
    contentAt: instant("content_at"),
    /** Who did so; null: the product itself, or before versions were kept. */
    authorType: text("author_type", { enum: ["user", "apiKey"] }),
    authorId: uuid("author_id"),
    /** What it says was scheduled or restored: it is kept as a version, however soon it is changed. */
    contentSettled: boolean("content_settled").notNull().default(false),
    /** The frozen content of each variant, in their order: message_id is the first. null: no A/B test. */
    variantMessageIds: uuid("variant_message_ids").array(),
    /** Recipients in the test so far: dealt to the variants in turn. */
    tested: integer("tested").notNull().default(0),
    /** When the winner is decided; null until everybody in the test has been tried. */
    winnerDueAt: instant("winner_due_at"),
    /** The variant, from 1 on, that everybody outside the test gets; null while undecided. */
    winner: smallint("winner"),
    winnerAt: instant("winner_at"),
    winnerDecision: jsonb("winner_decision").$type<WinnerDecision>(),
    /** When the mail that waited for the winner was assigned to it. */
    releasedAt: instant("released_at"),
    /** When the engine must next start it, write its audience or end it. Doing so locks the row. */
    dueAt: instant("due_at"),
    /** Consecutive steps of the engine that failed through a fault of ours. */
    failedSteps: smallint("failed_steps").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // The list, newest first.
    index("campaigns_project").on(table.projectId, table.id),
    // The list by name.
    index("campaigns_name").on(table.projectId, sql`lower(${table.name})`, table.id),
    // The list by status, and whether one yet to be sent uses a template, segment or list.
    index("campaigns_status").on(table.projectId, table.status, table.id),
    // The calendar: a month by the day of each, as lib/domain/campaigns/calendar.ts has it.
    index("campaigns_calendar").on(
      table.projectId,
      sql`coalesce(${table.startedAt}, ${table.scheduledAt}, ${table.sendBefore})`,
    ),
    // The engine's claim.
    index("campaigns_due")
      .on(table.dueAt)
      .where(sql`due_at is not null`),
  ],
);
