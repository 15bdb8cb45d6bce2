import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { domainStatuses, type RecordProblem, type RecordPurpose } from "@/db/enums";
import { createdAt, id, instant } from "./columns";
import { projects } from "./projects";

/**
 * What the last look-up found for one record: `found` are the values seen, `problem` a sentence on what is
 * wrong. While no name server answers (`unreachable`), `ok` and `found` are those of the look-up before.
 */
export interface RecordCheck {
  ok: boolean;
  found: string[];
  kind?: RecordProblem;
  problem?: string;
}

export const domains = pgTable(
  "domains",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** A-label, lower case. */
    name: text("name").notNull(),
    status: text("status", { enum: domainStatuses }).notNull(),
    /** Works without DNS records: the capture transport's sandbox.test. */
    builtIn: boolean("built_in").notNull().default(false),
    /** DKIM selector. */
    selector: text("selector").notNull(),
    /** Base64 of the DER public key, as the DNS record's p= has it. */
    dkimPublicKey: text("dkim_public_key").notNull(),
    /** PKCS #8 PEM, sealed with APP_SECRET. */
    dkimPrivateKeySealed: text("dkim_private_key_sealed").notNull(),
    trackOpens: boolean("track_opens").notNull().default(true),
    trackClicks: boolean("track_clicks").notNull().default(true),
    /** Mail to its addresses is accepted. */
    inbound: boolean("inbound").notNull().default(false),
    /** The sending connection its mail goes through; null: the project's default one, if any. */
    connectionId: uuid("connection_id"),
    /**
     * Where its mail's links are to lead instead of APP_URL: an A-label below `name`, lower case.
     */
    trackingHost: text("tracking_host"),
    /** Since when the links in its mail lead there; null: they do not now. */
    trackingSince: instant("tracking_since"),
    /** By purpose (DKIM, SPF, DMARC ...). */
    checks: jsonb("checks")
      .$type<Partial<Record<RecordPurpose, RecordCheck>>>()
      .notNull()
      .default({}),
    checkedAt: instant("checked_at"),
    verifiedAt: instant("verified_at"),
    /** When the next automatic look-up is due; null: not until somebody asks for one. Doubles as the lease. */
    nextCheckAt: instant("next_check_at"),
    /** When automatic checks of a pending domain stop. */
    checkUntil: instant("check_until"),
    checkAttempts: integer("check_attempts").notNull().default(0),
    /** Consecutive look-ups in which a verified domain's DKIM record was missing. */
    dkimMisses: integer("dkim_misses").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("domains_name").on(table.projectId, table.name),
    // At most one project has a name verified; the built-in name is in every project.
    uniqueIndex("domains_verified_name")
      .on(table.name)
      .where(sql`status = 'VERIFIED' and not built_in`),
    // Only one project's mail uses a host.
    uniqueIndex("domains_tracking_host")
      .on(table.trackingHost)
      .where(sql`tracking_since is not null`),
    // The claim of due checks.
    index("domains_due")
      .on(table.nextCheckAt)
      .where(sql`next_check_at is not null`),
  ],
);

/**
 * Hosts that pointed here when they were looked up for a project's verified domain, and whose pages are reached
 * under them. A row stays when the domain no longer uses its host: mail that was sent names it for years.
 */
export const trackingHosts = pgTable("tracking_hosts", {
  /** A-label, lower case. */
  host: text("host").primaryKey(),
  projectId: uuid("project_id")
    .notNull()
    .references(() => projects.id, { onDelete: "cascade" }),
  createdAt: createdAt(),
});

/**
 * Senders that the mail server refuses, whoever the mail is for. Their mail outside campaigns waits, except
 * for one email at a time that finds out whether they may go on.
 */
export const senderPauses = pgTable(
  "sender_pauses",
  {
    domainId: uuid("domain_id")
      .primaryKey()
      .references(() => domains.id, { onDelete: "cascade" }),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** What the server says. */
    words: text("words").notNull(),
    /** The one email that may be tried nevertheless. */
    probeEmailId: uuid("probe_email_id"),
    /** When the next one is chosen. */
    probeAt: instant("probe_at").notNull(),
    createdAt: createdAt(),
  },
  // What a project's pages show.
  (table) => [index("sender_pauses_project").on(table.projectId)],
);
