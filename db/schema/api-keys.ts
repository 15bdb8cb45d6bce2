import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { keyModes, keyScopes } from "@/db/enums";
import { bytea, createdAt, id, instant } from "./columns";
import { projects } from "./projects";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    scope: text("scope", { enum: keyScopes }).notNull(),
    mode: text("mode", { enum: keyModes }).notNull(),
    /** SHA-256 of the whole key: 190 bits of randomness need no slow hash. */
    hash: bytea("hash").notNull(),
    last4: text("last4").notNull(),
    /** Overrides of the project's limits; null: the project's. */
    sendsPerMinute: integer("sends_per_minute"),
    requestsPerTenSeconds: integer("requests_per_ten_seconds"),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
    createdAt: createdAt(),
  },
  (table) => [
    // Authenticating each request.
    uniqueIndex("api_keys_hash").on(table.hash),
    // The list of a project's keys, newest first.
    index("api_keys_project").on(table.projectId, table.id),
  ],
);
