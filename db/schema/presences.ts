import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, now } from "./columns";
import { projects } from "./projects";
import { users } from "./users";

/** Who has a template or campaign open in an editor, by tab of their browser. */
export const presences = pgTable(
  "presences",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** The template or campaign: ids of different kinds never meet. */
    thingId: uuid("thing_id").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tab: text("tab").notNull(),
    seenAt: instant("seen_at").notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.thingId, table.userId, table.tab] }),
    // The clean-up of old rows.
    index("presences_age").on(table.seenAt),
  ],
);
