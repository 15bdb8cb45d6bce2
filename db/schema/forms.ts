import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, createdAt, id, instant, updatedAt } from "./columns";
import { lists } from "./lists";
import { projects } from "./projects";

/** A form's question besides the address: `firstName`, `lastName`, `data.<key>` or `list.<TAG>`. */
export interface FormQuestion {
  key: string;
  /** Empty for the names: the page then asks in the visitor's language. */
  label: string;
  required: boolean;
}

/** What a form says in its owner's words; empty ones are in the visitor's language. */
export interface FormTexts {
  title: string;
  lead: string;
  consent: string;
  button: string;
  thanksTitle: string;
  thanksText: string;
  mailSubject: string;
  mailText: string;
}

export interface FormLook {
  /** #rrggbb; null: the project's. */
  color: string | null;
  /** Corner radius and maximum width, in pixels. */
  corner: number;
  width: number;
  /** `auto`: as the visitor's system is set. */
  theme: "auto" | "light" | "dark";
}

/** Where people sign themselves up: a page of ours, or the same form on the owner's page. */
export const forms = pgTable(
  "forms",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** A closed form accepts nobody, and says so. */
    open: boolean("open").notNull().default(true),
    /** null: people sign up for what the project sends, and no list. A list with a form cannot be deleted. */
    listId: uuid("list_id").references(() => lists.id),
    topicIds: uuid("topic_ids")
      .array()
      .notNull()
      .default(sql`'{}'`),
    questions: jsonb("questions").$type<FormQuestion[]>().notNull().default([]),
    texts: jsonb("texts").$type<Partial<FormTexts>>().notNull().default({}),
    look: jsonb("look").$type<Partial<FormLook>>().notNull().default({}),
    /** Where people go once they have signed up; null: to a page of ours. */
    thanksUrl: text("thanks_url"),
    doubleOptIn: boolean("double_opt_in").notNull().default(true),
    /** What the mail that asks to confirm is written with; null: with the list's, or ours. */
    confirmationTemplateId: uuid("confirmation_template_id"),
    proofOfWork: boolean("proof_of_work").notNull().default(false),
    /** BCP 47, for everything the form says; null: the visitor's. */
    language: text("language"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // The project's forms, newest first.
    index("forms_project").on(table.projectId, table.id),
    // Whether a list may be deleted.
    index("forms_list").on(table.listId),
  ],
);

/** Sign-ups, kept until confirmed and for a month: before that, none of it is the contact's. */
export const formSignUps = pgTable(
  "form_sign_ups",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    formId: uuid("form_id")
      .notNull()
      .references(() => forms.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    firstName: text("first_name").notNull().default(""),
    lastName: text("last_name").notNull().default(""),
    data: jsonb("data").$type<Record<string, string>>().notNull().default({}),
    /** By tag of the list's own fields. */
    fields: jsonb("fields").$type<Record<string, string>>().notNull().default({}),
    /** BCP 47: the language they read the form in. */
    language: text("language").notNull(),
    /** What they read there: a row of consent_texts. */
    textHash: bytea("text_hash").notNull(),
    ipAddress: text("ip_address").notNull(),
    userAgent: text("user_agent").notNull(),
    confirmedAt: instant("confirmed_at"),
    createdAt: createdAt(),
  },
  (table) => [
    // Erasing a person.
    index("form_sign_ups_email").on(table.projectId, sql`lower(${table.email})`),
    // For ON DELETE of the form.
    index("form_sign_ups_form").on(table.formId),
    // Cleaning up by age.
    index("form_sign_ups_created").on(table.createdAt),
  ],
);

/** What became of a form, by day (UTC). Nobody is identified: these count pages and posts. */
export const formFigures = pgTable(
  "form_figures",
  {
    formId: uuid("form_id")
      .notNull()
      .references(() => forms.id, { onDelete: "cascade" }),
    projectId: uuid("project_id").notNull(),
    day: date("day").notNull(),
    seen: integer("seen").notNull().default(0),
    sent: integer("sent").notNull().default(0),
    confirmed: integer("confirmed").notNull().default(0),
    /** Taken to be a program's. */
    refused: integer("refused").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.formId, table.day] })],
);
