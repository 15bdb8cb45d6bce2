import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { AuthResult } from "@/db/enums";
import { bytea, createdAt, id } from "./columns";
import { projects } from "./projects";
import { webhooks } from "./webhooks";

/** The results of checking a mail's origin (RFC 8601). */
export interface OriginChecks {
  /** For the envelope's sender, or for the name the server gave itself. */
  spf: { result: AuthResult; domain: string | null };
  dkim: { result: AuthResult; domain: string; selector: string; aligned: boolean }[];
  /** `policy`: what the From domain asks for when it fails. */
  dmarc: { result: AuthResult; domain: string | null; policy: string | null };
  arc: { result: AuthResult };
}

/** A file that came with a mail; its content is in the mail. */
export interface InboundAttachment {
  filename: string;
  contentType: string;
  contentId: string | null;
  inline: boolean;
  /** Bytes. */
  size: number;
}

/** Which mail goes to which endpoint, by recipient. */
export const inboundRoutes = pgTable(
  "inbound_routes",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** `support+*@shop.example`, or `support+*@` for all domains; in lower case. */
    pattern: text("pattern").notNull(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("inbound_routes_pattern").on(table.projectId, table.pattern),
    // Deleting a webhook deletes its routes.
    index("inbound_routes_webhook").on(table.webhookId),
  ],
);

/** Incoming mail of a project, once for all of the project's addresses that a mail names. */
export const inboundEmails = pgTable(
  "inbound_emails",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** Of message and recipients: what a server repeats, having missed our answer, is one mail. */
    fingerprint: bytea("fingerprint").notNull(),
    /** Empty for mail that must not be answered (bounces). */
    envelopeFrom: text("envelope_from").notNull(),
    /** Our addresses among the envelope's recipients. */
    recipients: text("recipients").array().notNull(),
    fromEmail: text("from_email").notNull(),
    fromName: text("from_name").notNull(),
    subject: text("subject").notNull(),
    /** Without angle brackets, as the two below. */
    headerId: text("header_id"),
    inReplyTo: text("in_reply_to"),
    references: text("reference_ids").array().notNull(),
    /** The email of ours that it answers; without a foreign key, as the mail tables have none. */
    emailId: uuid("email_id"),
    /** Who wrote it: the contact with that address, otherwise the one who got what it answers. */
    contactId: uuid("contact_id"),
    /** Written by a machine: an out-of-office reply, a bounce, a mailing list. */
    automatic: boolean("automatic").notNull(),
    checks: jsonb("checks").$type<OriginChecks>().notNull(),
    /** The plain part, or what the HTML says; cut at a million characters, as the HTML is. */
    text: text("text").notNull(),
    html: text("html"),
    attachments: jsonb("attachments").$type<InboundAttachment[]>().notNull(),
    /** The patterns that decided where it went. */
    routePatterns: text("route_patterns").array().notNull(),
    /** No pattern matched one of its recipients: it also went to every endpoint that listens. */
    unrouted: boolean("unrouted").notNull(),
    size: integer("size").notNull(),
    /** The whole message as it came. */
    raw: bytea("raw").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // The mailbox, newest first.
    index("inbound_emails_project").on(table.projectId, table.id),
    uniqueIndex("inbound_emails_fingerprint").on(table.projectId, table.fingerprint),
    // What a person wrote, and clearing a deleted contact.
    index("inbound_emails_sender").on(table.projectId, sql`lower(${table.fromEmail})`),
    index("inbound_emails_contact")
      .on(table.contactId)
      .where(sql`contact_id is not null`),
    // The answers to an email.
    index("inbound_emails_email")
      .on(table.emailId)
      .where(sql`email_id is not null`),
    // A message that goes round in circles keeps coming back.
    index("inbound_emails_header_id").on(table.projectId, table.headerId),
    // Cleaning up old mail.
    index("inbound_emails_age").on(table.createdAt),
  ],
);

/** Our answers to mail that came in. */
export const inboundReplies = pgTable(
  "inbound_replies",
  {
    inboundId: uuid("inbound_id")
      .notNull()
      .references(() => inboundEmails.id, { onDelete: "cascade" }),
    emailId: uuid("email_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.inboundId, table.emailId] })],
);
