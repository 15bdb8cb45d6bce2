import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { loginTokenPurposes } from "@/db/enums";
import { createdAt, instant, now, unownedId } from "./columns";
import { platformTokens } from "./projects";
import { users } from "./users";

/** Single-use links: sign-in, password reset, invitation. Only the hash is kept. */
export const loginTokens = pgTable(
  "login_tokens",
  {
    id: unownedId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose", { enum: loginTokenPurposes }).notNull(),
    /** SHA-256 of the token, hex. */
    hash: text("hash").notNull(),
    /** Same-origin path to go to after signing in. */
    redirectTo: text("redirect_to"),
    /** The platform token the link was made with; null: made for the user, whatever their projects. */
    platformTokenId: uuid("platform_token_id").references(() => platformTokens.id, {
      onDelete: "cascade",
    }),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("login_tokens_hash").on(table.hash),
    index("login_tokens_user").on(table.userId),
    // Links that end when a platform token is replaced.
    index("login_tokens_platform_token").on(table.platformTokenId),
  ],
);

/** Who is signed in. The cookie names a row, so deleting the row signs out. */
export const sessions = pgTable(
  "sessions",
  {
    id: unownedId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Signed in by a link made with it: the session opens that token's project alone. */
    platformTokenId: uuid("platform_token_id").references(() => platformTokens.id, {
      onDelete: "cascade",
    }),
    /** Where it was signed in from, to recognise it by. */
    address: text("address").notNull(),
    userAgent: text("user_agent").notNull(),
    createdAt: createdAt(),
    /** To five minutes. */
    lastSeenAt: instant("last_seen_at").notNull().default(now),
    /** 30 days after signing in, however much it is used. */
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    // A person's own sessions, and ending them all.
    index("sessions_user").on(table.userId),
    // Sessions that end when a platform token is replaced.
    index("sessions_platform_token").on(table.platformTokenId),
  ],
);
