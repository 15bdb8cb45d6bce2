import { bigint, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { firstFactors, loginTokenPurposes } from "@/db/enums";
import { bytea, createdAt, instant, now, unownedId } from "./columns";
import { platformTokens } from "./projects";
import { users } from "./users";

/**
 * Single-use links: sign-in, password reset, invitation; and sign-ins that wait for the code of the
 * authenticator app. Only the hash is kept.
 */
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
    /** For a sign-in that waits for the second factor: what it began with. */
    firstFactor: text("first_factor", { enum: firstFactors }),
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
    /** Where the sign-in came from, so that it can be recognised. */
    address: text("address").notNull(),
    userAgent: text("user_agent").notNull(),
    createdAt: createdAt(),
    /** To within five minutes. */
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

/** A person's authenticator app. Signing in asks for its code once a first one has confirmed it. */
export const secondFactors = pgTable(
  "second_factors",
  {
    id: unownedId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The shared secret in base32, encrypted. */
    secretSealed: text("secret_sealed").notNull(),
    confirmedAt: instant("confirmed_at"),
    /** The 30-second step of the last accepted code: no code counts twice. */
    lastStep: integer("last_step").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("second_factors_user").on(table.userId)],
);

/** Codes, for use once, for people who have lost their authenticator app. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: unownedId(),
    secondFactorId: uuid("second_factor_id")
      .notNull()
      .references(() => secondFactors.id, { onDelete: "cascade" }),
    /** SHA-256 of the code, hex. */
    hash: text("hash").notNull(),
    usedAt: instant("used_at"),
  },
  // A person's codes, and finding one by what was typed.
  (table) => [uniqueIndex("recovery_codes_hash").on(table.secondFactorId, table.hash)],
);

/** A person's passkeys: each signs in alone, in place of password and code. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: unownedId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** What the authenticator calls it, base64url. */
    credentialId: text("credential_id").notNull(),
    /** COSE. */
    publicKey: bytea("public_key").notNull(),
    /** How often it has signed, as it says itself; 0 for those that do not count. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    /** How browsers reach it, in their own words. */
    transports: text("transports").array().notNull(),
    name: text("name").notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant("last_used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId),
  ],
);

/** What a passkey is asked to sign: for one use, by the browser or session that was given it. */
export const passkeyChallenges = pgTable("passkey_challenges", {
  /** SHA-256 of the challenge, hex. */
  hash: text("hash").primaryKey(),
  /** SHA-256 of the token in the browser's cookie, or of the session's name, hex. */
  holderHash: text("holder_hash").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

/** The accounts at identity providers (OpenID Connect) that sign somebody in. */
export const userIdentities = pgTable(
  "user_identities",
  {
    id: unownedId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    issuer: text("issuer").notNull(),
    /** What the issuer calls the account, for ever: `sub`. */
    subject: text("subject").notNull(),
    /** The address it had when it last signed in: to be recognised by, and never looked up. */
    email: text("email").notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant("last_used_at").notNull().default(now),
  },
  (table) => [
    uniqueIndex("user_identities_subject").on(table.issuer, table.subject),
    // An address that a company gives to somebody else brings a second account: it must not join the first.
    uniqueIndex("user_identities_user").on(table.userId, table.issuer),
  ],
);

/** People who are away at the identity provider: for one return, by the browser that left. */
export const identityVisits = pgTable("identity_visits", {
  /** SHA-256 of the `state` that comes back, hex. */
  hash: text("hash").primaryKey(),
  /** SHA-256 of the token in the browser's cookie, hex. */
  holderHash: text("holder_hash").notNull(),
  /** The nonce and the code verifier, encrypted. */
  secretsSealed: text("secrets_sealed").notNull(),
  /** Same-origin path to go to after signing in. */
  redirectTo: text("redirect_to").notNull(),
  expiresAt: instant("expires_at").notNull(),
});
