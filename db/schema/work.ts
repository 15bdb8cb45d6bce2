import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { auditActions } from "@/db/audit-actions";
import { bytea, createdAt, id, instant, now, unownedId } from "./columns";
import { projects } from "./projects";

/** Answers kept for 24 hours for requests with an Idempotency-Key; committed together with what the request did. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    route: text("route").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of the request body. */
    bodyHash: bytea("body_hash").notNull(),
    response: text("response").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.route, table.key] }),
    // The clean-up of old rows.
    index("idempotency_keys_age").on(table.createdAt),
  ],
);

/** Fixed windows that start with a subject's first request. UNLOGGED: a crash may forget them. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    /** What is limited, and for whom: `send:<key uuid>`, `api:<key uuid>`, `denied:<address>`. */
    subject: text("subject").primaryKey(),
    resetsAt: instant("resets_at").notNull(),
    used: integer("used").notNull(),
  },
  // The clean-up of windows that have ended.
  (table) => [index("rate_limits_age").on(table.resetsAt)],
);

/** Who did what, written in the transaction that did it. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    projectId: uuid("project_id").references(() => projects.id, {
      onDelete: "cascade",
    }),
    actorType: text("actor_type", {
      enum: ["user", "apiKey", "assistant", "system"],
    }).notNull(),
    actorId: uuid("actor_id"),
    /** verb.noun, such as `create.apiKey`. */
    action: text("action", { enum: auditActions }).notNull(),
    /** Wire id of what was acted on. */
    target: text("target"),
    details: jsonb("details").$type<Record<string, unknown>>().notNull().default({}),
    /** The caller's IP address and program; null for what the product did on its own. */
    address: text("address"),
    userAgent: text("user_agent"),
    requestId: text("request_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // The log, newest first.
    index("audit_log_project").on(table.projectId, table.id),
    // The same by action: to find sign-ins among millions of changed contacts.
    index("audit_log_action").on(table.projectId, table.action, table.id),
    // The same by person; most of the log is what keys did, which is read along the first index.
    index("audit_log_person")
      .on(table.projectId, table.actorId, table.id)
      .where(sql`actor_type = 'user'`),
    // Erasing an address: what was done about it while it was no contact's.
    index("audit_log_email")
      .on(table.projectId, sql`lower(${table.details} ->> 'email')`)
      .where(sql`target is null and details ->> 'email' is not null`),
  ],
);

/** When each periodic job last ran, so that any number of workers and cron calls run it once per period. */
export const jobRuns = pgTable("job_runs", {
  job: text("job").primaryKey(),
  startedAt: instant("started_at").notNull().default(now),
  finishedAt: instant("finished_at"),
  ok: boolean("ok"),
  runs: bigint("runs", { mode: "number" }).notNull().default(0),
});

/** A worker's trouble with the mail server it hands mail to. */
export interface MailServerTrouble {
  /** unavailable: no session with it can be had. */
  state: "throttled" | "unavailable";
  /** The server's own words. */
  words: string;
  /** ISO time. */
  since: string;
  /** Emails per second that it is given meanwhile. */
  rate: number;
}

/** A receiver behind the mail server that asked a worker for less, as in MailServerTrouble. */
export interface SlowReceiver {
  /** Who runs its servers: `google.com`. */
  name: string;
  /** Some of the recipient domains whose mail it takes. */
  domains: string[];
  since: string;
  rate: number;
}

/** The workers that are alive, each by its last beat; rows of dead ones are removed. */
export const workers = pgTable("workers", {
  id: unownedId(),
  createdAt: createdAt(),
  beatAt: instant("beat_at").notNull().default(now),
  mailServer: jsonb("mail_server").$type<MailServerTrouble>(),
  slowReceivers: jsonb("slow_receivers").$type<SlowReceiver[]>(),
});
