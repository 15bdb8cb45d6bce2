import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { teamLetterKinds } from "@/db/enums";
import { createdAt, id, instant, now } from "./columns";
import { projects } from "./projects";

/** What a letter is about: a campaign, a domain, an import or a change of many contacts. */
export interface TeamLetterData {
  /** Of work that failed: which kind. */
  subject?: "import" | "bulkChange";
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
    /** Of several with the same key, only the first is recorded: a week's summary, or a sender's pauses for some hours. */
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
