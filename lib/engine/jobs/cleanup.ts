import { and, eq, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { sqlState } from "@/db/errors";
import type { KeptKind } from "@/db/enums";
import {
  assistants,
  assistantTokens,
  attachmentBlobs,
  bulkChangeChunks,
  bulkChanges,
  deletedRows,
  domainReports,
  emailQueue,
  emails,
  exportProgress,
  formSignUps,
  idempotencyKeys,
  identityVisits,
  loginTokens,
  messageAttachments,
  oauthClients,
  passkeyChallenges,
  personRequests,
  presences,
  projectMoves,
  rateLimits,
  sessions,
  teamLetters,
  workers,
  warmupReceiverHours,
} from "@/db/schema";
import { undoableDays } from "@/lib/domain/contact-fields/bulk-change-rows";
import { foldDepartures, projectsToFold } from "@/lib/domain/departures/fold";
import { firstIdOf } from "@/lib/ground/ids/first-id";
import { tooOldToBringBack } from "@/lib/ground/updates/bring-back";
import { log } from "@/lib/ground/log";
import { batch, bounded, deleteOld } from "./delete-old";
import { expireEvents } from "./event-stream";
import { Parts } from "./parts";
import { expireKept } from "./retention";

/** How many rows were deleted, by kind. */
export type CleanupSummary = Record<
  | "idempotencyKeys"
  | "rateLimits"
  | "loginTokens"
  | "sessions"
  | "passkeyChallenges"
  | "identityVisits"
  | "presences"
  | "deletedRows"
  | "exports"
  | "assistantTokens"
  | "oauthClients"
  | "workers"
  | "domainReports"
  | KeptKind
  | "attachments"
  | "blobs"
  | "formSignUps"
  | "warmupReceiverHours"
  | "personRequests"
  | "bulkChangeChunks"
  | "teamLetters"
  | "streamedEvents",
  number
>;

/**
 * Creates the event partitions for the coming months. A table that is being read (by a backup) is left for the next
 * run, since writers of events would queue behind us.
 */
async function makeEventPartitions(db: Database): Promise<void> {
  try {
    await bounded(db, (tx) => tx.execute(sql`select ensure_event_partitions()`));
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error;
    log.info("email_events is in use: its partitions are made by the next clean-up");
  }
}

/** Adds up the departures of past days, in small statements, each project's by themselves. */
async function addDepartures(db: Database, signal: AbortSignal, parts: Parts): Promise<void> {
  for (const projectId of await projectsToFold(db)) {
    const add = async () => {
      let hasMore = true;
      while (hasMore && !signal.aborted) {
        hasMore = await bounded(db, (tx) => foldDepartures(tx, projectId, batch));
      }
    };
    await parts.attempt("departures", add, undefined);
  }
}

/** While a project comes from another database, what belongs to its rows may still be on the way (bin/move). */
const hasArrived = (projectId: PgColumn) => sql`not exists (
  select from ${projectMoves}
  where ${projectMoves.projectId} = ${projectId} and ${projectMoves.state} = 'arriving')`;

/** A bulk change that ended so long ago can no longer be taken back. */
const longEnded = sql`${bulkChanges.finishedAt} < app_now() - make_interval(days => ${undoableDays})`;

async function endUndoing(db: Database): Promise<void> {
  await bounded(db, (tx) =>
    tx
      .update(bulkChanges)
      .set({ undone: true })
      .where(and(longEnded, eq(bulkChanges.undone, false))),
  );
}

/**
 * Deletes what has expired, adds up the departures of past days, and creates the coming months' partitions:
 * idempotency keys after 24 hours, ended rate limit windows, login tokens a week after their end, expired sessions and
 * questions to passkeys, visits at the identity provider, who had something open an hour ago, what was deleted and
 * can no longer be brought back, how far exports were a day ago,
 * assistants' tokens a day after their end, programs that nobody connected within a week of registering, workers
 * that have not been heard of for an hour, what projects or the installation no longer keep (see
 * lib/domain/retention), domain reports after 90 days, attachments after 40 days unless
 * their mail still waits, then their content, figures of receivers after eight days, what people asked for after 60
 * days, letters to teams after 30 days, whom a bulk change was about after seven days, sign-ups by form a day after their links have ended, events that are asked
 * for after 30 days. Throws when a part of it has failed; the others are done nevertheless.
 */
export async function cleanUp(db: Database, signal: AbortSignal): Promise<CleanupSummary> {
  const parts = new Parts();
  await parts.attempt("partitions", () => makeEventPartitions(db), undefined);
  await parts.attempt("departures", () => addDepartures(db, signal, parts), undefined);
  await parts.attempt("undoing", () => endUndoing(db), undefined);
  const remove = (table: PgTable, condition: SQL) =>
    parts.attempt(getTableName(table), () => deleteOld(db, signal, table, condition), 0);
  const summary = {
    ...(await expireKept(db, signal, parts)),
    streamedEvents: await parts.attempt("stream", () => expireEvents(db, signal), 0),
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
    passkeyChallenges: await remove(
      passkeyChallenges,
      sql`${passkeyChallenges.expiresAt} < app_now()`,
    ),
    identityVisits: await remove(identityVisits, sql`${identityVisits.expiresAt} < app_now()`),
    presences: await remove(presences, sql`${presences.seenAt} < app_now() - interval '1 hour'`),
    deletedRows: await remove(deletedRows, tooOldToBringBack),
    exports: await remove(
      exportProgress,
      sql`${exportProgress.updatedAt} < app_now() - interval '1 day'`,
    ),
    // A used refresh token that is presented again within its lifetime ends the assistant, so it is kept that long.
    assistantTokens: await remove(
      assistantTokens,
      sql`${assistantTokens.expiresAt} < app_now() - interval '1 day'`,
    ),
    oauthClients: await remove(
      oauthClients,
      sql`${oauthClients.createdAt} < app_now() - interval '7 days' and not exists (
        select from ${assistants} where ${assistants.clientId} = ${oauthClients.id})`,
    ),
    domainReports: await remove(
      domainReports,
      sql`${domainReports.createdAt} < app_now() - interval '90 days'`,
    ),
    workers: await remove(workers, sql`${workers.beatAt} < app_now() - interval '1 hour'`),
    attachments: await remove(
      messageAttachments,
      sql`${messageAttachments.messageId} < ${firstIdOf(sql`app_now() - interval '40 days'`)}
        and ${hasArrived(messageAttachments.projectId)} and ${messageAttachments.messageId} not in (
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
    // An address that nobody confirmed belongs to nobody here.
    personRequests: await remove(
      personRequests,
      sql`${personRequests.createdAt} < app_now() - interval '60 days'`,
    ),
    bulkChangeChunks: await remove(
      bulkChangeChunks,
      sql`${bulkChangeChunks.changeId} in (
        select ${bulkChanges.id} from ${bulkChanges} where ${longEnded})`,
    ),
    // A blob is written before the row that names it, so a fresh one is left alone.
    blobs: await remove(
      attachmentBlobs,
      sql`${attachmentBlobs.createdAt} < app_now() - interval '1 day'
        and ${hasArrived(attachmentBlobs.projectId)} and not exists (
        select from ${messageAttachments}
        where ${messageAttachments.projectId} = ${attachmentBlobs.projectId}
          and ${messageAttachments.sha256} = ${attachmentBlobs.sha256})`,
    ),
  };
  parts.end();
  return summary;
}
