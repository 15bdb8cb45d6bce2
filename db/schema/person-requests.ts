import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { consentOrigins, departureParts, departureScopes, personRequestKinds } from "@/db/enums";
import { contacts } from "./contacts";
import { createdAt, id, instant } from "./columns";

/** What people asked for on their preference page, and confirm by a link in a mail. */
export const personRequests = pgTable(
  "person_requests",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    contactId: uuid("contact_id")
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: personRequestKinds }).notNull(),
    /** The new address; null unless it is about one. */
    email: text("email"),
    /** What the address was before; null until it is changed. */
    previousEmail: text("previous_email"),
    /** The new address was another contact's: the two were left as they are. */
    keptApart: boolean("kept_apart").notNull().default(false),
    createdAt: createdAt(),
    /** When it was confirmed and done. A download can be repeated and has none. */
    doneAt: instant("done_at"),
    undoneAt: instant("undone_at"),
  },
  (table) => [
    // How many a person made lately; for ON DELETE of the contact.
    index("person_requests_contact").on(table.contactId, table.createdAt),
    // An erased address is removed from others' requests, too.
    index("person_requests_email")
      .on(table.projectId, sql`lower(${table.email})`)
      .where(sql`email is not null`),
    index("person_requests_previous")
      .on(table.projectId, sql`lower(${table.previousEmail})`)
      .where(sql`previous_email is not null`),
  ],
);

const zero = "00000000-0000-0000-0000-000000000000";

/**
 * How many people left, by day and by what it was about. The trigger departures_counted adds whatever
 * is written to the history of consent. Ids are all zeros where there is none.
 */
export const departureFigures = pgTable(
  "departure_figures",
  {
    projectId: uuid("project_id").notNull(),
    /** Its first moment, UTC. */
    day: instant("day").notNull(),
    /** What they left; the campaign, list and topic may be those of the mail they left by. */
    scope: text("scope", { enum: departureScopes }).notNull(),
    campaignId: uuid("campaign_id").notNull().default(zero),
    listId: uuid("list_id").notNull().default(zero),
    topicId: uuid("topic_id").notNull().default(zero),
    /** Through whom. */
    origin: text("origin", { enum: consentOrigins }).notNull(),
    /** Empty: they gave none. */
    reason: text("reason").notNull().default(""),
    /** Keeps people who leave at the same time off each other's rows. */
    slot: smallint("slot").notNull(),
    people: integer("people").notNull(),
  },
  (table) => [
    primaryKey({
      name: "departure_figures_key",
      columns: [
        ...[table.projectId, table.day, table.scope, table.campaignId, table.listId],
        ...[table.topicId, table.origin, table.reason, table.slot],
      ] as [typeof table.projectId],
    }),
  ],
);

/** The same by sign-up form, for those who had come through one. */
export const formDepartures = pgTable(
  "form_departures",
  {
    projectId: uuid("project_id").notNull(),
    /** Its first moment, UTC. */
    day: instant("day").notNull(),
    formId: uuid("form_id").notNull(),
    slot: smallint("slot").notNull(),
    people: integer("people").notNull(),
  },
  (table) => [
    primaryKey({
      name: "form_departures_key",
      columns: [table.projectId, table.day, table.formId, table.slot],
    }),
  ],
);

/**
 * What departure_figures and form_departures add up to, for days that are over: by one thing each, so that years
 * of them are read at once. The clean-up adds each day once, all of a project's in one transaction.
 */
export const departureTotals = pgTable(
  "departure_totals",
  {
    projectId: uuid("project_id").notNull(),
    by: text("by", { enum: departureParts }).notNull(),
    /** The first moment, UTC, of the month; by `day`: of the day. */
    since: instant("since").notNull(),
    /** Which one: an id, or a word; by `day`: what they left. */
    value: text("value").notNull(),
    people: integer("people").notNull(),
  },
  (table) => [
    primaryKey({
      name: "departure_totals_key",
      columns: [table.projectId, table.by, table.since, table.value],
    }),
  ],
);
