import { foreignKey, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { assistantScopes, assistantTokenKinds } from "@/db/enums";
import { bytea, createdAt, id, instant, unownedId } from "./columns";
import { memberships, projects } from "./projects";
import { users } from "./users";

/** Programs that registered themselves (RFC 7591). They have no secret and, until somebody consents, no rights. */
export const oauthClients = pgTable(
  "oauth_clients",
  {
    id: unownedId(),
    /** What the program calls itself: anybody may claim any name. */
    name: text("name").notNull(),
    redirectUris: text("redirect_uris").array().notNull(),
    createdAt: createdAt(),
  },
  // Cleaning up those that nobody connected.
  (table) => [index("oauth_clients_created").on(table.createdAt)],
);

/**
 * A person's consent that a client acts for them in one project. Kept after it ends: the audit log names it.
 */
export const assistants = pgTable(
  "assistants",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: uuid("client_id")
      .notNull()
      .references(() => oauthClients.id),
    /** The client's name and host at the time of consent. */
    name: text("name").notNull(),
    host: text("host").notNull(),
    scope: text("scope", { enum: assistantScopes }).notNull(),
    createdAt: createdAt(),
    /** To the minute. */
    lastUsedAt: instant("last_used_at"),
    endedAt: instant("ended_at"),
  },
  (table) => [
    // A project's assistants, newest first.
    index("assistants_project").on(table.projectId, table.id),
    // Cleaning up: which clients are in use.
    index("assistants_client").on(table.clientId),
    // A deleted user's assistants.
    index("assistants_user").on(table.userId),
  ],
);

/** What assistants sign in with. Only hashes are kept. */
export const assistantTokens = pgTable(
  "assistant_tokens",
  {
    /** SHA-256 of the whole token: 190 bits of randomness need no slow hash. */
    hash: bytea("hash").primaryKey(),
    assistantId: uuid("assistant_id")
      .notNull()
      .references(() => assistants.id, { onDelete: "cascade" }),
    projectId: uuid("project_id").notNull(),
    userId: uuid("user_id").notNull(),
    kind: text("kind", { enum: assistantTokenKinds }).notNull(),
    /** For a code: what the exchange has to match (RFC 6749, 4.1.3; RFC 7636, 4.6). */
    redirectUri: text("redirect_uri"),
    codeChallenge: text("code_challenge"),
    expiresAt: instant("expires_at").notNull(),
    /** When a code or a refresh token was exchanged: a second time ends the assistant. */
    usedAt: instant("used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    // When somebody leaves a project, their assistants' tokens go, too.
    foreignKey({
      name: "assistant_tokens_membership",
      columns: [table.projectId, table.userId],
      foreignColumns: [memberships.projectId, memberships.userId],
    }).onDelete("cascade"),
    // For that foreign key, and the assistants that can still sign in.
    index("assistant_tokens_member").on(table.projectId, table.userId),
    index("assistant_tokens_assistant").on(table.assistantId),
    // Cleanup.
    index("assistant_tokens_expires").on(table.expiresAt),
  ],
);
