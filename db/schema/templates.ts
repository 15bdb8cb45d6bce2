import { sql } from "drizzle-orm";
import {
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, id, updatedAt } from "./columns";
import { memberships, projects } from "./projects";

export interface TemplateChanges {
  name?: string | undefined;
  subject?: string | undefined;
  body?: string | undefined;
  design?: object | null | undefined;
}

export const templates = pgTable(
  "templates",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Liquid */
    subject: text("subject").notNull(),
    /** HTML with Liquid */
    body: text("body").notNull(),
    /** What the visual editor made the body from, its keys in their order; null: the body was written as HTML. */
    design: json("design").$type<object>(),
    version: integer("version").notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // Keyset and page list, newest first.
    index("templates_project").on(table.projectId, table.id),
    // The list by name, and by when they were changed.
    index("templates_name").on(table.projectId, sql`lower(${table.name})`, table.id),
    index("templates_changed").on(table.projectId, table.updatedAt, table.id),
  ],
);

/** What a template looked like before each change; the newest version is the template itself. */
export const templateVersions = pgTable(
  "template_versions",
  {
    templateId: uuid("template_id")
      .notNull()
      .references(() => templates.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    name: text("name").notNull(),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    design: json("design").$type<object>(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.version] })],
);

/** What a member has changed in a template and not saved. Nothing is sent with it. */
export const templateDrafts = pgTable(
  "template_drafts",
  {
    projectId: uuid("project_id").notNull(),
    templateId: uuid("template_id")
      .notNull()
      .references(() => templates.id, { onDelete: "cascade" }),
    userId: uuid("user_id").notNull(),
    /** The version that was changed. */
    fromVersion: integer("from_version").notNull(),
    /** The changed fields alone; a design's keys in their order. */
    changes: json("changes").$type<TemplateChanges>().notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.userId] }),
    // When somebody leaves a project, their drafts go, too.
    foreignKey({
      name: "template_drafts_membership",
      columns: [table.projectId, table.userId],
      foreignColumns: [memberships.projectId, memberships.userId],
    }).onDelete("cascade"),
    // That foreign key.
    index("template_drafts_member").on(table.projectId, table.userId),
  ],
);
