import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import {
  consentOrigins,
  consents,
  suppressionReasons,
  type Consent,
  type SubscriberStatus,
} from "@/db/enums";
import { createdAt, id, updatedAt } from "./columns";
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
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // Upsert and look-up by address.
    uniqueIndex("contacts_email").on(table.projectId, sql`lower(${table.email})`),
    // Keyset list, newest first.
    index("contacts_list").on(table.projectId, table.id),
    // Segments and lists by tag: tags @> array[...].
    index("contacts_tags").using("gin", table.tags),
    // Segments by equality on custom data: data @> '{...}'.
    index("contacts_data").using("gin", sql`${table.data} jsonb_path_ops`),
    // Search by a part of the address or the name; the emails' log searches through it, too.
    index("contacts_search").using(
      "gin",
      sql`(${table.email} || ' ' || ${table.firstName} || ' ' || ${table.lastName}) gin_trgm_ops`,
    ),
  ],
);

/**
 * Every change of a contact's subscription, to everything or to one list, and through whom. Written by the
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
    /** null: the contact, or the membership, was new. */
    before: text("before").$type<Consent | SubscriberStatus>(),
    after: text("after").$type<Consent | SubscriberStatus>().notNull(),
    origin: text("origin", { enum: consentOrigins }).notNull(),
    /** The user or the API key. */
    actorId: uuid("actor_id"),
    /** The mail whose link was used, or that was reported. */
    emailId: uuid("email_id"),
    importId: uuid("import_id"),
    createdAt: createdAt(),
  },
  // A contact's history, newest first; its deletion.
  (table) => [primaryKey({ columns: [table.projectId, table.contactId, table.id] })],
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
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hash] })],
);

/** Addresses nothing is sent to. Outlives the contact. */
export const suppressions = pgTable(
  "suppressions",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    reason: text("reason", { enum: suppressionReasons }).notNull(),
    /** What bounced or was complained about; null: by hand, or from before there was this column. */
    emailId: uuid("email_id"),
    createdAt: createdAt(),
  },
  // Checked at accept and at each claim.
  (table) => [uniqueIndex("suppressions_email").on(table.projectId, sql`lower(${table.email})`)],
);
