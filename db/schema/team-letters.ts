import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { teamLetterKinds } from "@/db/enums";
import { createdAt, id, instant, now } from "./columns";
import { projects } from "./projects";

/** What a letter tells of: the campaign or domain that it is about. */
export interface TeamLetterData {
  /** uuid */
  subjectId?: string;
  name?: string;
  reason?: string;
}

/** Mail to a project's members that is to leave, written down with what it tells of; kept for a while after that. */
export const teamLetters = pgTable(
  "team_letters",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: teamLetterKinds }).notNull(),
    /** Of several with the same key only the first is written: a week's summary. */
    key: text("key"),
    data: jsonb("data").$type<TeamLetterData>().notNull(),
    /** When a worker takes it; while one does, when another may. null: it has left, or is given up. */
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
