import { sql } from "drizzle-orm";
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { emailEventNames, emailSources, emailStatuses, emailTroubles } from "@/db/enums";
import type { UtmParameters } from "./campaigns";
import { bytea, createdAt, id, instant, now } from "./columns";
import { position } from "./events";
import { projects } from "./projects";

/*
 * messages, emails and email_events have no foreign keys to other tables: a check per row would cost more
 * than the insert and lock the project's row for every sender. The verbs that delete clear what points here.
 */

/** Content, stored once per request (or per campaign variant), however many people get it. */
export const messages = pgTable(
  "messages",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    domainId: uuid("domain_id"),
    fromEmail: text("from_email").notNull(),
    fromName: text("from_name").notNull().default(""),
    replyTo: text("reply_to"),
    subject: text("subject").notNull(),
    html: text("html"),
    /** The plain part as given; null: made from the HTML. */
    text: text("text"),
    /** Subject, html and text are Liquid; false for mail that comes through the relay. */
    liquid: boolean("liquid").notNull().default(true),
    headers: jsonb("headers").$type<Record<string, string>>(),
    /** The request's variables. */
    data: jsonb("data").$type<Record<string, unknown>>(),
    /** The caller's own; comes back in webhooks. */
    metadata: jsonb("metadata").$type<Record<string, string>>(),
    /** Without a foreign key: deleting the template leaves what was sent as it is. */
    templateId: uuid("template_id"),
    /** Campaign content: it gets a footer, one-click headers and tracking links. */
    campaignId: uuid("campaign_id"),
    previewText: text("preview_text"),
    utm: jsonb("utm").$type<UtmParameters>(),
    /** Overrides of the domain's setting. */
    trackOpens: boolean("track_opens"),
    trackClicks: boolean("track_clicks"),
    /** Sent with a test key: ends up in the captured mailbox. */
    test: boolean("test").notNull().default(false),
    /** When html, text and data went, as the project keeps contents no longer; null: they are there. */
    contentDeletedAt: instant("content_deleted_at"),
    createdAt: createdAt(),
  },
  (table) => [
    // What is to lose its content, oldest first.
    index("messages_contents")
      .on(table.projectId, table.createdAt)
      .where(sql`campaign_id is null and content_deleted_at is null`),
    // What counts a project's mail leaves these out.
    index("messages_test")
      .on(table.projectId, table.id)
      .where(sql`test`),
    // The log by subject: of single mail, the instants at which it was written.
    index("messages_subject").on(
      sql`hashtextextended(${table.subject}, uuid_hash_extended(${table.projectId}, 0))`,
      table.createdAt,
    ),
    // The same by template.
    index("messages_template")
      .on(table.templateId, table.createdAt)
      .where(sql`template_id is not null`),
    // Which campaigns have this subject or template: all of a project's are read, they are few.
    index("messages_campaign")
      .on(table.projectId, table.createdAt)
      .where(sql`campaign_id is not null`),
  ],
);

/** Attachment content, once per SHA-256 and project. */
export const attachmentBlobs = pgTable(
  "attachment_blobs",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    sha256: bytea("sha256").notNull(),
    content: bytea("content").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.sha256] })],
);

export const messageAttachments = pgTable(
  "message_attachments",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    position: smallint("position").notNull(),
    projectId: uuid("project_id").notNull(),
    sha256: bytea("sha256").notNull(),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    /** Content-ID of a part that the HTML shows inline, without angle brackets. */
    contentId: text("content_id"),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.position] }),
    foreignKey({
      columns: [table.projectId, table.sha256],
      foreignColumns: [attachmentBlobs.projectId, attachmentBlobs.sha256],
    }),
    // The clean-up of blobs that nothing refers to any more.
    index("message_attachments_blob").on(table.projectId, table.sha256),
  ],
);

/**
 * Messages that came in whole through the relay: the first attachment is the message as the client
 * wrote it, and the content columns hold what lists and the log show.
 */
export const relayedMessages = pgTable(
  "relayed_messages",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    projectId: uuid("project_id").notNull(),
    /** The client's Message-ID without angle brackets; null: each email gets one of ours. */
    headerId: text("header_id"),
    /** Who handed it over, as Received names them; null: from before this was kept. */
    client: text("client"),
  },
  (table) => [
    // A client's Message-ID occurs once per project; reports that name it find the message.
    uniqueIndex("relayed_messages_header_id").on(table.projectId, table.headerId),
  ],
);

/** Our own mail that tells others of a contact. What it says goes with the contact; the row, with the message. */
export const mailAboutContacts = pgTable(
  "mail_about_contacts",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    projectId: uuid("project_id").notNull(),
    contactId: uuid("contact_id").notNull(),
  },
  (table) => [
    // Deleting a contact.
    index("mail_about_contacts_contact").on(table.contactId),
    // Deleting a project.
    index("mail_about_contacts_project").on(table.projectId),
  ],
);

/**
 * One row per recipient, for good: written when its mail is accepted and once more when it is settled.
 * Waiting mail also has a row in email_queue.
 */
export const emails = pgTable(
  "emails",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    messageId: uuid("message_id").notNull(),
    /** null once the contact was deleted. */
    contactId: uuid("contact_id"),
    campaignId: uuid("campaign_id"),
    /** The variant of an A/B test, from 1 on, that this person was dealt; null: not in the test. */
    variant: smallint("variant"),
    /** The address as given; null once the contact was deleted for good. */
    recipient: text("recipient"),
    recipientName: text("recipient_name"),
    source: text("source", { enum: emailSources }).notNull(),
    status: text("status", { enum: emailStatuses }).notNull(),
    /** The rare statuses. No index covers the status itself: every open would then write to all indexes. */
    trouble: text("trouble", { enum: emailTroubles }).generatedAlwaysAs(
      sql`case when status in ('BOUNCED', 'COMPLAINED', 'FAILED') then status end`,
    ),
    /** The subject this person got, when it differs from the message's. */
    subject: text("subject"),
    /** Attempts it took until it was settled. */
    attempts: smallint("attempts").notNull().default(0),
    /** The id that the provider which took it gave it; its reports use that. */
    providerId: text("provider_id"),
    // The queue of versions before email_queue, for their programs that still run: the trigger
    // emails_to_queue takes over what they write here.
    dueAt: instant("due_at"),
    asleep: boolean("asleep").notNull().default(false),
    warmupRank: real("warmup_rank"),
    leaseId: uuid("lease_id"),
    unfinishedClaims: smallint("unfinished_claims").notNull().default(0),
    opens: integer("opens").notNull().default(0),
    clicks: integer("clicks").notNull().default(0),
    sentAt: instant("sent_at"),
    deliveredAt: instant("delivered_at"),
    openedAt: instant("opened_at"),
    clickedAt: instant("clicked_at"),
    bouncedAt: instant("bounced_at"),
    complainedAt: instant("complained_at"),
    /** When this person unsubscribed through this email. */
    unsubscribedAt: instant("unsubscribed_at"),
    createdAt: createdAt(),
  },
  (table) => [
    // Empty: with these, programs of versions before email_queue quickly see that nothing is theirs.
    index("emails_awake")
      .on(table.projectId, table.dueAt)
      .where(sql`due_at is not null and campaign_id is null and not asleep`),
    index("emails_campaign_awake")
      .on(table.campaignId, table.dueAt)
      .where(sql`due_at is not null and campaign_id is not null and not asleep`),
    index("emails_asleep")
      .on(table.dueAt)
      .where(sql`due_at is not null and asleep`),
    index("emails_campaign_asleep")
      .on(table.campaignId)
      .where(sql`due_at is not null and campaign_id is not null and asleep`),
    index("emails_warming")
      .on(table.campaignId, table.warmupRank, table.id)
      .where(sql`warmup_rank is not null`),
    index("emails_suspect")
      .on(table.dueAt)
      .where(sql`due_at is not null and lease_id is not null and unfinished_claims > 0`),
    // The log, newest first.
    index("emails_log").on(table.projectId, table.createdAt, table.id),
    // The log filtered by a rare status; the common ones are found quickly in the log itself.
    index("emails_log_trouble")
      .on(table.projectId, table.trouble, table.createdAt, table.id)
      .where(sql`trouble is not null`),
    // The log of what lists themselves send: little beside all other mail, which pays nothing for it.
    index("emails_log_lists")
      .on(table.projectId, table.createdAt, table.id)
      .where(sql`source = 'LIST'`),
    // The log by a subject that one person got.
    index("emails_subject")
      .on(
        sql`hashtextextended(${table.subject}, uuid_hash_extended(${table.projectId}, 0))`,
        table.createdAt,
      )
      .where(sql`subject is not null`),
    // A contact's mail, the log searched by address, and clearing a deleted contact.
    index("emails_contact").on(table.contactId, table.createdAt),
    // Mail to people who are no contacts (tests), by their address: all other mail pays nothing for it.
    index("emails_strangers")
      .on(
        sql`uuid_hash_extended(${table.projectId}, 0)`,
        sql`(case when ${table.contactId} is null then lower(${table.recipient}) end)`,
      )
      .where(sql`(case when contact_id is null then lower(recipient) end) is not null`),
    // A provider's reports.
    index("emails_provider")
      .on(table.projectId, table.providerId)
      .where(sql`provider_id is not null`),
    // One email per person and campaign, whatever happens.
    uniqueIndex("emails_campaign_contact")
      .on(table.campaignId, table.contactId)
      .where(sql`campaign_id is not null`),
  ],
);

/** Append-only, partitioned by month of created_at (the migration says how): old data leaves by dropping partitions. */
export const emailEvents = pgTable(
  "email_events",
  {
    id: uuid("id")
      .notNull()
      .default(sql`gen_random_uuid()`),
    projectId: uuid("project_id").notNull(),
    emailId: uuid("email_id").notNull(),
    name: text("name", { enum: emailEventNames }).notNull(),
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
    createdAt: instant("created_at").notNull().default(now),
    /** null: nobody is told about it, or it is from before positions were kept. */
    position: position().default(sql`(pg_current_xact_id()::text)::bigint`),
  },
  // No primary key: nothing looks up one event, and an unread index would be a third of the insert.
  (table) => [
    // The timeline of one email.
    index("email_events_email").on(table.emailId, table.createdAt),
    // The stream of a project's events. Its partitions' indexes are made by db/event-stream.ts.
    index("email_events_stream")
      .on(table.projectId, table.position)
      .where(sql`position is not null`),
  ],
);
