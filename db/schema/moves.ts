import {
  bigint,
  boolean,
  customType,
  index,
  jsonb,
  pgTable,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import type { MoveState } from "@/db/enums";
import { createdAt, instant, now } from "./columns";

const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/**
 * Projects that are on their way to another database, or have gone there; and in that one, those that come or have
 * come. Without a foreign key: where a project is to come, it is not yet.
 */
export const projectMoves = pgTable("project_moves", {
  projectId: uuid("project_id").primaryKey(),
  /** The same in both databases. */
  moveId: uuid("move_id").notNull(),
  state: text("state").$type<MoveState>().notNull(),
  /** Which database it goes to: cluster and name; empty where it comes to. */
  target: text("target").notNull().default(""),
  /** The new place's APP_URL; empty where it comes to. */
  url: text("url").notNull().default(""),
  /** Both databases' programs keep files in one place: those of the project stay when it is removed here. */
  filesShared: boolean("files_shared").notNull().default(false),
  /** Where it comes to: by table, the key of the last row that is there; `true`: all are. */
  progress: jsonb("progress").$type<Record<string, string[] | true>>().notNull().default({}),
  createdAt: createdAt(),
  changedAt: instant("changed_at").notNull().default(now),
});

/**
 * Rows that changed while their project was copied, written by triggers that are there only while it is
 * (bin/move/fence.ts).
 */
export const projectMoveChanges = pgTable(
  "project_move_changes",
  {
    number: bigint("number", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    projectId: uuid("project_id").notNull(),
    tableName: text("table_name").notNull(),
    /** What is copied again: the values of the columns that name it. */
    unit: text("unit").array().notNull(),
    transaction: xid8("transaction")
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  // While the project is closed, nobody waits for a look at all those that were copied and forgotten.
  (table) => [index("project_move_changes_table").on(table.projectId, table.tableName)],
);
