import { sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";

const batch = 1_000;

/** Deletes in small statements, so that nobody waits for long locks. `condition` is of the table alone. */
async function deleteOld(
  db: Database,
  signal: AbortSignal,
  table: SQL,
  condition: SQL,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const rows = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${batch} for update skip locked
      )) returning 1 as one`);
    deleted += rows.length;
    if (rows.length < batch) break;
  }
  return deleted;
}

/** How many rows went, by what they were. */
export type CleanupSummary = Record<
  | "idempotencyKeys"
  | "rateLimits"
  | "loginTokens"
  | "sessions"
  | "captured"
  | "webhookDeliveries"
  | "attachments"
  | "blobs",
  number
>;

/**
 * Takes away what has had its time, and makes the coming months' partitions: idempotency keys after 24
 * hours, ended rate limit windows, login tokens a week after their end, expired sessions,
 * captured mail and webhook deliveries after 30 days, attachments after 40 days unless their mail still
 * waits, then their content.
 */
export async function cleanUp(db: Database, signal: AbortSignal): Promise<CleanupSummary> {
  await db.execute(sql`select ensure_event_partitions()`);
  const remove = (table: SQL, condition: SQL) => deleteOld(db, signal, table, condition);
  return {
    idempotencyKeys: await remove(
      sql`idempotency_keys`,
      sql`created_at < app_now() - interval '24 hours'`,
    ),
    rateLimits: await remove(sql`rate_limits`, sql`resets_at < app_now()`),
    loginTokens: await remove(sql`login_tokens`, sql`expires_at < app_now() - interval '7 days'`),
    sessions: await remove(sql`sessions`, sql`expires_at < app_now()`),
    captured: await remove(sql`captured_emails`, sql`created_at < app_now() - interval '30 days'`),
    webhookDeliveries: await remove(
      sql`webhook_deliveries`,
      sql`created_at < app_now() - interval '30 days'`,
    ),
    attachments: await remove(
      sql`message_attachments`,
      sql`message_id in (select id from messages where created_at < app_now() - interval '40 days')
        and message_id not in (select message_id from emails where due_at is not null)`,
    ),
    // A blob is there before the row that names it: a fresh one is left alone.
    blobs: await remove(
      sql`attachment_blobs`,
      sql`created_at < app_now() - interval '1 day' and not exists (
        select from message_attachments a
        where a.project_id = attachment_blobs.project_id and a.sha256 = attachment_blobs.sha256)`,
    ),
  };
}
