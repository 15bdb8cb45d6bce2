import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { webhookDeliveryStatuses } from "@/db/enums";
import { createdAt, id, instant, updatedAt } from "./columns";
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
    /** Since when there have been only failures; null after a success. */
    failingSince: instant("failing_since"),
    /** Why we switched it off; null when a person did, or nobody. */
    disabledReason: text("disabled_reason"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("webhooks_project").on(table.projectId, table.id)],
);

/** One attempt at a delivery; `status` and `error` as in the columns. */
export interface WebhookTry {
  at: string;
  status: number | null;
  error: string | null;
  milliseconds: number | null;
}

/** One event for one endpoint, written in one transaction with what it reports; also the queue. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** The same for every endpoint that gets the event, and for each attempt: `webhook-id`. */
    eventId: uuid("event_id").notNull(),
    event: text("event").notNull(),
    /** The email, the incoming mail or the contact it is about. */
    subjectId: uuid("subject_id"),
    /**
     * For an email: the event's own data; for a contact: its row; else the payload's `data` as sent.
     */
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    status: text("status", { enum: webhookDeliveryStatuses }).notNull().default("PENDING"),
    attempts: smallint("attempts").notNull().default(0),
    /** When it is tried next; null: done. While claimed, the end of the lease. */
    dueAt: instant("due_at").default(sql`app_now()`),
    leaseId: uuid("lease_id"),
    /** The last attempt's answer, its body truncated; the fault's words when there was none. */
    responseStatus: smallint("response_status"),
    responseBody: text("response_body"),
    /** Whom it is about was deleted for good: what the endpoint answers is not kept. */
    erased: boolean("erased").notNull().default(false),
    error: text("error"),
    durationMilliseconds: integer("duration_milliseconds"),
    attemptedAt: instant("attempted_at"),
    /** The attempts before the last, oldest first, without their bodies. */
    earlier: jsonb("earlier").$type<WebhookTry[]>().notNull().default([]),
    createdAt: createdAt(),
  },
  (table) => [
    // The claim, endpoint by endpoint: a hung one does not hold up the others.
    index("webhook_deliveries_due")
      .on(table.webhookId, table.dueAt)
      .where(sql`due_at is not null`),
    // The log of an endpoint, newest first.
    index("webhook_deliveries_log").on(table.webhookId, table.id),
    // Deleting a contact removes what is said about it here, too.
    index("webhook_deliveries_subject")
      .on(table.subjectId)
      .where(sql`subject_id is not null`),
    // The clean-up of old deliveries.
    index("webhook_deliveries_age").on(table.createdAt),
  ],
);
