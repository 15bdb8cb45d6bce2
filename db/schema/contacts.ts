import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  consentKinds,
  consentOrigins,
  consents,
  suppressionReasons,
  suppressionSources,
  type Consent,
  type SubscriberStatus,
} from "@/db/enums";
import { bytea, createdAt, id, instant, updatedAt } from "./columns";
import { projects } from "./projects";

export const contacts = pgTable(
  "contacts",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** As given; compared by lower(email). The domain is kept as its A-label. */
    email: text("email").notNull(),
    firstName: text("first_name").notNull().default(""),
    lastName: text("last_name").notNull().default(""),
    consent: text("consent", { enum: consents }).notNull(),
    tags: text("tags")
      .array()
      .notNull()
      .default(sql`'{}'`),
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
    /** The person gets no campaigns until then, as they asked; null, or past: they do. */
    pausedUntil: instant("paused_until"),
    /** They asked for at most one campaign a week. */
    weekly: boolean("weekly").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // Upserting and looking up by address.
    uniqueIndex("contacts_email").on(table.projectId, sql`lower(${table.email})`),
    // Keyset list, newest first.
    index("contacts_list").on(table.projectId, table.id),
    // The same of one consent, which nobody may have.
    index("contacts_consent").on(table.projectId, table.consent, table.id),
    // Those on a break: few, and nobody else pays for it.
    index("contacts_paused")
      .on(table.projectId, table.pausedUntil)
      .where(sql`paused_until is not null`),
    // Those who asked for one campaign a week at most: the same.
    index("contacts_weekly")
      .on(table.projectId)
      .where(sql`weekly`),
    // Segments and listing by tag: tags @> array[...].
    index("contacts_tags").using("gin", table.tags),
    // Segments by equality on custom data: data @> '{...}'.
    index("contacts_data").using("gin", sql`${table.data} jsonb_path_ops`),
    // Search by part of the address or the name; the email log uses it, too.
    index("contacts_search").using(
      "gin",
      sql`(${table.email} || ' ' || ${table.firstName} || ' ' || ${table.lastName}) gin_trgm_ops`,
    ),
  ],
);

/** A choice about everything, a list, a topic, a pause or how often; `changed`: name or address. */
export type ConsentValue =
  | Consent
  | SubscriberStatus
  | "paused"
  | "active"
  | "weekly"
  | "normal"
  | "changed";

/**
 * Every change to a contact's subscription, to everything or to one list, and who made it. Written by the
 * statement that changes it. No foreign keys, as for mail: a check per row of an import costs more than the row.
 */
export const consentChanges = pgTable(
  "consent_changes",
  {
    id: uuid("id").notNull(),
    projectId: uuid("project_id").notNull(),
    contactId: uuid("contact_id").notNull(),
    /** null: to everything the project sends. */
    listId: uuid("list_id"),
    topicId: uuid("topic_id"),
    kind: text("kind", { enum: consentKinds }).notNull().default("subscription"),
    /** null: the contact or the membership was new. */
    before: text("before").$type<ConsentValue>(),
    after: text("after").$type<ConsentValue>().notNull(),
    /** For a pause: when it ends by itself. */
    until: instant("until"),
    /** Why they left, as a code and in their own words. */
    reason: text("reason"),
    comment: text("comment"),
    /** What the person read where they made the choice: a row of consent_texts. */
    textHash: bytea("text_hash"),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    origin: text("origin", { enum: consentOrigins }).notNull(),
    /** The user or the API key. */
    actorId: uuid("actor_id"),
    /** The mail whose link was used, or that was reported. */
    emailId: uuid("email_id"),
    importId: uuid("import_id"),
    /** The sign-up form that the person came through. */
    formId: uuid("form_id"),
    createdAt: createdAt(),
  },
  // A contact's history, newest first, and deleting it.
  (table) => [primaryKey({ columns: [table.projectId, table.contactId, table.id] })],
);

/** What people read where they gave or withdrew consent: stored once for all who read the same. */
export const consentTexts = pgTable(
  "consent_texts",
  {
    projectId: uuid("project_id").notNull(),
    /** SHA-256 of the text. */
    hash: bytea("hash").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hash] })],
);

/** Keyed hashes of addresses deleted for good: an import or an implicit upsert brings them back unsubscribed. */
export const forgottenAddresses = pgTable(
  "forgotten_addresses",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** HMAC-SHA-256 of the lower-case address. */
    hash: text("hash").notNull(),
    /** Why the address was suppressed when it was deleted; restored with the contact. */
    suppressed: text("suppressed", { enum: suppressionReasons }),
    /** When and how the person objected: the only proof once the rest is erased. */
    objectedAt: instant("objected_at"),
    objectedBy: text("objected_by", { enum: consentOrigins }),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hash] })],
);

/** Addresses, and whole domains, that nothing is sent to. Outlives the contact. */
export const suppressions = pgTable(
  "suppressions",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** A whole domain as its A-label in lower case, after an @. */
    email: text("email").notNull(),
    reason: text("reason", { enum: suppressionReasons }).notNull(),
    /** What bounced or was complained about; null: added by hand, or before this column existed. */
    emailId: uuid("email_id"),
    /** What the mail server said: kept here, because it outlives the email and its events. */
    response: text("response"),
    /** null: suppressed before this column existed. */
    source: text("source", { enum: suppressionSources }),
    /** Who added or imported it; null for what came about by itself. */
    origin: text("origin", { enum: consentOrigins }),
    actorId: uuid("actor_id"),
    /** When it came about, wherever that was. */
    createdAt: createdAt(),
  },
  (table) => [
    // Checked when mail is accepted and at each claim.
    uniqueIndex("suppressions_email").on(table.projectId, sql`lower(${table.email})`),
    // The same for whole domains: few, so that projects without any pay nothing.
    index("suppressions_domain")
      .on(table.projectId, sql`lower(${table.email})`)
      .where(sql`reason = 'domain'`),
    // Contacts by why nothing is sent to them, and the list by reason.
    index("suppressions_reason").on(table.projectId, table.reason, table.id),
  ],
);
