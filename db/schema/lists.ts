import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { listFieldTypes, subscriberSources, subscriberStatuses } from "@/db/enums";
import { createdAt, id, updatedAt } from "./columns";
import { contacts } from "./contacts";
import { projects } from "./projects";

/** Who is behind a list: the postal address in its footer. `countryId` as given, ISO 3166. */
export interface ListContact {
  company?: string;
  state?: string;
  address_1?: string;
  address_2?: string;
  city?: string;
  zip?: string;
  country_id?: string;
  email?: string;
  url?: string;
  phone?: string;
}

export const lists = pgTable(
  "lists",
  {
    id: id(),
    /** listNumber(id). Earlier versions, which may still run, count up: hence the identity. */
    number: integer("number").generatedByDefaultAsIdentity(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    fromEmail: text("from_email").notNull().default(""),
    fromName: text("from_name").notNull().default(""),
    defaultSubject: text("default_subject").notNull().default(""),
    remindMessage: text("remind_message"),
    contact: jsonb("contact").$type<ListContact>().notNull().default({}),
    subscribeConfirmation: boolean("subscribe_confirmation").notNull().default(false),
    sendWelcomeEmail: boolean("send_welcome_email").notNull().default(false),
    unsubscribeNotification: boolean("unsubscribe_notification").notNull().default(false),
    /** What these mails are written with; null: with ours. Whoever deletes a template looks here first. */
    confirmationTemplateId: uuid("confirmation_template_id"),
    welcomeTemplateId: uuid("welcome_template_id"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("lists_project").on(table.projectId, table.id)],
);

export const listFields = pgTable(
  "list_fields",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    listId: uuid("list_id")
      .notNull()
      .references(() => lists.id, { onDelete: "cascade" }),
    /** Upper case, as placeholders name it. */
    tag: text("tag").notNull(),
    label: text("label").notNull(),
    type: text("type", { enum: listFieldTypes }).notNull(),
    defaultValue: text("default_value"),
    /** Choices of a dropdown or of checkboxes. */
    options: text("options").array(),
    visible: boolean("visible").notNull().default(true),
    required: boolean("required").notNull().default(false),
    position: smallint("position").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("list_fields_tag").on(table.listId, table.tag)],
);

/** A contact's membership in a list, with its own status and field values. */
export const subscribers = pgTable(
  "subscribers",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    listId: uuid("list_id")
      .notNull()
      .references(() => lists.id, { onDelete: "cascade" }),
    contactId: uuid("contact_id")
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    status: text("status", { enum: subscriberStatuses }).notNull(),
    source: text("source", { enum: subscriberSources }).notNull(),
    ipAddress: text("ip_address"),
    /** By tag of the list's own fields. */
    fields: jsonb("fields").$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("subscribers_member").on(table.listId, table.contactId),
    // A contact's lists; ON DELETE of the contact.
    index("subscribers_contact").on(table.contactId),
    // The members of a list, newest first, and the audience by status.
    index("subscribers_list").on(table.listId, table.status, table.id),
  ],
);

/**
 * How many members a list has by status: the sum over slots. A trigger on subscribers (count_members) adds to it in
 * the statement that changes them, whoever makes it.
 */
export const listFigures = pgTable(
  "list_figures",
  {
    listId: uuid("list_id")
      .notNull()
      .references(() => lists.id, { onDelete: "cascade" }),
    status: text("status", { enum: subscriberStatuses }).notNull(),
    /**
     * From 0 on: who adds takes one that nobody else holds, so that none waits for another's commit. -1: those who
     * were there before the trigger; a list without it has not been counted yet.
     */
    slot: smallint("slot").notNull(),
    members: integer("members").notNull(),
  },
  (table) => [primaryKey({ columns: [table.listId, table.status, table.slot] })],
);
