import { boolean, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, updatedAt } from "./columns";
import { projects } from "./projects";

export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** Event names, or `*`. */
    events: text("events").array().notNull(),
    enabled: boolean("enabled").notNull().default(true),
    /** `whsec_...`, sealed with APP_SECRET. */
    secretSealed: text("secret_sealed").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("webhooks_project").on(table.projectId, table.id)],
);
