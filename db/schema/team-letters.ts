import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { teamLetterKinds } from "@/db/enums";
import { createdAt, id, instant, now } from "./columns";
import { projects } from "./projects";

/** What a letter is about: a campaign, a domain, an import, a change of many contacts, or the mail of a list or form. */
export interface TeamLetterData {
  /** Of work that failed, and of a mail that was replaced: whose. */
  subject?: "import" | "bulkChange" | "list" | "form";
  /** Which mail was replaced. */
  mail?: "confirmation" | "welcome";
  /** uuid */
  subjectId?: string;
  name?: string;
  reason?: string;
}

/** Mail to a project's members, recorded with what it reports; kept for a while once sent. */
export const teamLetters = pgTable(
  "team_letters",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: teamLetterKinds }).notNull(),
    /** Of several with the same key, only the first is recorded: a week's summary, a sender's pauses for some hours, or a template that cannot be used. */
    key: text("key"),
    data: jsonb("data").$type<TeamLetterData>().notNull(),
    /** When a worker takes it; while one has it, when another may. null: sent, or given up. */
    dueAt: instant("due_at").default(now),
    attempts: smallint("attempts").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("team_letters_key").on(table.projectId, table.kind, table.key),
    index("team_letters_due")
      .on(table.dueAt)
      .where(sql`due_at is not null`),
    index("team_letters_created").on(table.createdAt),
  ],
);
