import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { connectionFaults, connectionKinds } from "@/db/enums";
import { createdAt, id, instant, updatedAt } from "./columns";
import { projects } from "./projects";

/** How a connection is used, without its secrets; lib/domain/connections/settings.ts says which kind has what. */
export interface ConnectionSettings {
  host?: string;
  port?: number;
  tls?: "implicit" | "required" | "opportunistic" | "off";
  user?: string | null;
  /** Sessions, or requests to a provider, at once. */
  sessions?: number;
  /** What one receiving host is given in a minute at most; null: as much as it takes. */
  messagesPerMinute?: number | null;
  /** Where the account is: `us` or `eu` at Mailgun, a region of AWS for SES. */
  region?: string;
  /** The domain as Mailgun knows it. */
  sendingDomain?: string;
  /** Postmark's streams: the one for campaigns, and the one for all other mail. */
  messageStream?: string;
  campaignStream?: string;
  /** Which of the account's keys at AWS is used. */
  accessKeyId?: string;
  /** What SES applies to this mail; it also says which events are published. */
  configurationSet?: string | null;
  /** The only SNS topic whose notifications are taken; null: the first that asks to be confirmed. */
  topicArn?: string | null;
}

/** That the other side asked for less mail, as a worker last reported. */
export interface ConnectionThrottling {
  words: string;
  /** ISO time. */
  since: string;
  /** Emails a second. */
  rate: number;
  /** ISO time. */
  toldAt: string;
}

/** Ways out that a project brings: its mail leaves through them, not through the installation's transport. */
export const sendingConnections = pgTable(
  "sending_connections",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    kind: text("kind", { enum: connectionKinds }).notNull(),
    settings: jsonb("settings").$type<ConnectionSettings>().notNull(),
    /** Password or key, sealed with APP_SECRET. */
    secretSealed: text("secret_sealed").notNull(),
    /** What proves that a provider's reports are its own, sealed likewise; null: reports are refused. */
    webhookSecretSealed: text("webhook_secret_sealed"),
    /** Takes the mail of all the project's domains that name no connection. */
    standard: boolean("standard").notNull().default(false),
    /** The one that takes its mail while it is held, or was asked for less. */
    fallbackId: uuid("fallback_id"),
    /** Since when nothing can be handed over; null: as far as is known, it works. */
    heldSince: instant("held_since"),
    heldFault: text("held_fault", { enum: connectionFaults }),
    /** What the other side said. */
    heldWords: text("held_words"),
    /** When some worker tries it again; while one does, the end of its lease. */
    probeAt: instant("probe_at"),
    /** When the owners were told that it is held. */
    toldAt: instant("told_at"),
    throttling: jsonb("throttling").$type<ConnectionThrottling>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("sending_connections_name").on(table.projectId, table.name),
    uniqueIndex("sending_connections_standard")
      .on(table.projectId)
      .where(sql`standard`),
    // What each worker reads on every beat.
    index("sending_connections_held")
      .on(table.probeAt)
      .where(sql`held_since is not null`),
  ],
);
