import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { sqlState } from "@/db/errors";
import type { KeptKind } from "@/db/enums";
import {
  assistants,
  assistantTokens,
  attachmentBlobs,
  domainReports,
  emailQueue,
  emails,
  formSignUps,
  idempotencyKeys,
  inboundEmails,
  loginTokens,
  messageAttachments,
  oauthClients,
  personRequests,
  rateLimits,
  sessions,
  teamLetters,
  workers,
  warmupReceiverHours,
} from "@/db/schema";
import { foldDepartures, projectsToFold } from "@/lib/domain/departures/fold";
import { log } from "@/lib/ground/log";
import { batch, bounded, deleteOld } from "./delete-old";
import { expireEvents } from "./event-stream";
import { expireKept } from "./retention";

/** How many rows went, by what they were. */
export type CleanupSummary = Record<
  | "idempotencyKeys"
  | "rateLimits"
  | "loginTokens"
  | "sessions"
  | "assistantTokens"
  | "oauthClients"
  | "workers"
  | "inbound"
  | "domainReports"
  | KeptKind
  | "attachments"
  | "blobs"
  | "formSignUps"
  | "warmupReceiverHours"
  | "personRequests"
  | "teamLetters"
  | "events",
  number
>;

/** The first id (UUIDv7) of that time: keys that begin with an id are in the order of time. */
const firstIdOf = (instant: SQL) =>
  sql`rpad(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;

/**
 * Makes the partitions of events of the months to come. A table that is being read (by a backup) is left for the
 * next run: who writes events would wait behind us.
 */
async function makeEventPartitions(db: Database): Promise<void> {
  try {
    await bounded(db, (tx) => tx.execute(sql`select ensure_event_partitions()`));
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error;
    log.info("email_events is in use: its partitions are made by the next clean-up");
  }
}

/** Adds up the departures of days that are over, in small statements. */
async function addDepartures(db: Database, signal: AbortSignal): Promise<void> {
  for (const projectId of await projectsToFold(db)) {
    let hasMore = true;
    while (hasMore && !signal.aborted) {
      hasMore = await bounded(db, (tx) => foldDepartures(tx, projectId, batch));
    }
  }
}

/**
 * Takes away what has had its time, adds up the departures of days that are over, and makes the coming months'
 * partitions: idempotency keys after 24
 * hours, ended rate limit windows, login tokens a week after their end, expired sessions, assistants'
 * tokens a day after their end, programs that nobody connected within a week of registering,
 * workers that have not been heard of for an hour,
 * what projects or the installation keep no longer (see lib/domain/retention), mail that came in after 90
 * days, reports of domains likewise, attachments after 40 days unless their mail still
 * waits, then their content, figures of receivers after eight days, what people asked for after 60 days,
 * letters to teams after 30 days, sign-ups by form a day after their links have ended, events that are asked for after 30 days.
 */
export async function cleanUp(db: Database, signal: AbortSignal): Promise<CleanupSummary> {
  await makeEventPartitions(db);
  await addDepartures(db, signal);
  const remove = (table: PgTable, condition: SQL) => deleteOld(db, signal, table, condition);
  return {
    ...(await expireKept(db, signal)),
    events: await expireEvents(db, signal),
    idempotencyKeys: await remove(
      idempotencyKeys,
      sql`${idempotencyKeys.createdAt} < app_now() - interval '24 hours'`,
    ),
    rateLimits: await remove(rateLimits, sql`${rateLimits.resetsAt} < app_now()`),
    loginTokens: await remove(
      loginTokens,
      sql`${loginTokens.expiresAt} < app_now() - interval '7 days'`,
    ),
    sessions: await remove(sessions, sql`${sessions.expiresAt} < app_now()`),
    // A used refresh token that is shown again within its life ends the assistant: it is kept as long.
    assistantTokens: await remove(
      assistantTokens,
      sql`${assistantTokens.expiresAt} < app_now() - interval '1 day'`,
    ),
    oauthClients: await remove(
      oauthClients,
      sql`${oauthClients.createdAt} < app_now() - interval '7 days' and not exists (
        select from ${assistants} where ${assistants.clientId} = ${oauthClients.id})`,
    ),
    inbound: await remove(
      inboundEmails,
      sql`${inboundEmails.createdAt} < app_now() - interval '90 days'`,
    ),
    domainReports: await remove(
      domainReports,
      sql`${domainReports.createdAt} < app_now() - interval '90 days'`,
    ),
    workers: await remove(workers, sql`${workers.beatAt} < app_now() - interval '1 hour'`),
    attachments: await remove(
      messageAttachments,
      sql`${messageAttachments.messageId} < ${firstIdOf(sql`app_now() - interval '40 days'`)}
        and ${messageAttachments.messageId} not in (
          select ${emails.messageId} from ${emailQueue}
          join ${emails} on ${emails.id} = ${emailQueue.emailId})`,
    ),
    teamLetters: await remove(
      teamLetters,
      sql`${teamLetters.createdAt} < app_now() - interval '30 days'`,
    ),
    // Confirmed or not: what became of it is the contact's.
    formSignUps: await remove(
      formSignUps,
      sql`${formSignUps.createdAt} < app_now() - interval '31 days'`,
    ),
    warmupReceiverHours: await remove(
      warmupReceiverHours,
      sql`${warmupReceiverHours.hour} < app_now() - interval '8 days'`,
    ),
    // An address that nobody confirmed is nobody's here.
    personRequests: await remove(
      personRequests,
      sql`${personRequests.createdAt} < app_now() - interval '60 days'`,
    ),
    // A blob is there before the row that names it: a fresh one is left alone.
    blobs: await remove(
      attachmentBlobs,
      sql`${attachmentBlobs.createdAt} < app_now() - interval '1 day' and not exists (
        select from ${messageAttachments}
        where ${messageAttachments.projectId} = ${attachmentBlobs.projectId}
          and ${messageAttachments.sha256} = ${attachmentBlobs.sha256})`,
    ),
  };
}
