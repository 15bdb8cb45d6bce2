import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { loginTokenPurposes } from "@/db/enums";
import { createdAt, id, instant, updatedAt } from "./columns";

export const users = pgTable(
  "users",
  {
    id: id(),
    email: text("email").notNull(),
    name: text("name").notNull().default(""),
    /** argon2id; null: signs in by one-time link only. */
    passwordHash: text("password_hash"),
    /** Sessions carry it; raising it signs the user out everywhere. */
    sessionEpoch: integer("session_epoch").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // Sign-in: a user by address, without regard to case.
  (table) => [uniqueIndex("users_email").on(sql`lower(${table.email})`)],
);

/** Single-use links: sign-in, password reset, invitation. Only the hash is kept. */
export const loginTokens = pgTable(
  "login_tokens",
  {
    id: id(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose", { enum: loginTokenPurposes }).notNull(),
    /** SHA-256 of the token, hex. */
    hash: text("hash").notNull(),
    /** Same-origin path to go to after signing in. */
    redirectTo: text("redirect_to"),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("login_tokens_hash").on(table.hash),
    index("login_tokens_user").on(table.userId),
  ],
);
