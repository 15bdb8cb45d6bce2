import { doublePrecision, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { goalFigures, goalPeriods } from "@/db/enums";
import { createdAt, id, updatedAt } from "./columns";
import { projects } from "./projects";

/** What a project's people want to reach, or not to exceed, in each calendar period. */
export const goals = pgTable(
  "goals",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    figure: text("figure", { enum: goalFigures }).notNull(),
    period: text("period", { enum: goalPeriods }).notNull(),
    /** A number of contacts or emails; of rates, a percentage. */
    target: doublePrecision("target").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // One for each figure and period; listing a project's.
  (table) => [uniqueIndex("goals_figure").on(table.projectId, table.figure, table.period)],
);
