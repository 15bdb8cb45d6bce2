import { sql } from "drizzle-orm";
import { pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, updatedAt, unownedId } from "./columns";

export const users = pgTable(
  "users",
  {
    id: unownedId(),
    email: text("email").notNull(),
    name: text("name").notNull().default(""),
    /** argon2id; null: signs in by one-time link only. */
    passwordHash: text("password_hash"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // Sign-in: a user by address, without regard to case.
  (table) => [uniqueIndex("users_email").on(sql`lower(${table.email})`)],
);
