import { bigint, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { exportStates } from "@/db/enums";
import { instant, now } from "./columns";
import { users } from "./users";

/** How far a file is that somebody is downloading, for their pages to show. */
export const exportProgress = pgTable(
  "export_progress",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Given by the page that began it. */
    id: text("id").notNull(),
    /** Of the downloads of one address, the one that is told of: the last that was begun. */
    run: uuid("run").notNull(),
    state: text("state", { enum: exportStates }).notNull(),
    /** Rows that were written; null for files that are no table. */
    rows: bigint("rows", { mode: "number" }),
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    failureReason: text("failure_reason"),
    updatedAt: instant("updated_at").notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // The clean-up of old rows.
    index("export_progress_age").on(table.updatedAt),
  ],
);
