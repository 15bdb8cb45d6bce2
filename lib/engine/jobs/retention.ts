import { asc, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import type { KeptKind } from "@/db/enums";
import {
  auditLog,
  capturedEmails,
  contactChanges,
  domainReports,
  emailEvents,
  emailQueue,
  emails,
  linkClicks,
  messages,
  projects,
  webhookDeliveries,
} from "@/db/schema";
import { keptDays } from "@/lib/domain/retention/retention";
import { batch, bounded, deleteOld } from "./delete-old";

/** Projects read at a time. */
const projectsAtOnce = 200;

interface Kept {
  projectId: string;
  days: number;
}

const leftOver = alias(emails, "left_over");

const before = (days: number) => sql`app_now() - make_interval(days => ${days})`;

/**
 * Deletes a batch of a project's oldest emails with their events and clicks, and messages that belonged only to
 * them. Queued mail stays, and so do figures and the content of campaigns. Resolves to how many were deleted.
 */
async function deleteEmails(db: Database, { projectId, days }: Kept): Promise<number> {
  const [row] = await bounded(db, (tx) =>
    tx.execute<{ gone: number }>(sql`
    with old as materialized (
      select ${emails.id}, ${emails.messageId}, ${emails.createdAt} from ${emails}
      where ${emails.projectId} = ${projectId} and ${emails.createdAt} < ${before(days)}
        and not exists (select from ${emailQueue} where ${emailQueue.emailId} = ${emails.id})
      order by ${emails.createdAt}, ${emails.id} limit ${batch}
      for update of ${emails} skip locked
    ), events as (
      delete from ${emailEvents} where ${emailEvents.emailId} = any(array(select id from old))
    ), gone as (
      delete from ${emails} where ${emails.id} = any(array(select id from old)) returning 1
    ), clicked as (
      delete from ${linkClicks} where ${linkClicks.emailId} = any(array(select id from old))
    ), contents as (
      -- A message outside campaigns has the time of its emails: the log's index finds those it has left.
      delete from ${messages} where ${messages.id} = any(array(select message_id from old))
        and ${messages.campaignId} is null and not exists (
          select from ${emails} ${leftOver}
          where ${leftOver.projectId} = ${projectId} and ${leftOver.createdAt} = ${messages.createdAt}
            and ${leftOver.messageId} = ${messages.id} and ${leftOver.id} <> all(array(select id from old)))
    )
    select count(*)::int as gone from gone`),
  );
  return row?.gone ?? 0;
}

async function expire(
  db: Database,
  signal: AbortSignal,
  kind: KeptKind,
  kept: Kept,
): Promise<number> {
  const { projectId, days } = kept;
  if (kind === "emails") {
    let gone = 0;
    while (!signal.aborted) {
      const step = await deleteEmails(db, kept);
      gone += step;
      if (step < batch) break;
    }
    return gone;
  }
  let gone = 0;
  if (kind === "audit") {
    const { projectId: of, createdAt } = contactChanges;
    const old = sql`${of} = ${projectId} and ${createdAt} < ${before(days)}`;
    gone = await deleteOld(db, signal, contactChanges, old);
  }
  const table = {
    captured: capturedEmails,
    webhookDeliveries,
    audit: auditLog,
    reports: domainReports,
  }[kind];
  const older = sql`${table.projectId} = ${projectId} and ${table.createdAt} < ${before(days)}`;
  return gone + (await deleteOld(db, signal, table, older));
}

/** Deletes what projects no longer keep; resolves to how many rows that was, by kind. */
export async function expireKept(
  db: Database,
  signal: AbortSignal,
): Promise<Record<KeptKind, number>> {
  const gone: Record<KeptKind, number> = {
    emails: 0,
    captured: 0,
    webhookDeliveries: 0,
    audit: 0,
    reports: 0,
  };
  let after: string | null = null;
  while (!signal.aborted) {
    const page: { id: string; retention: (typeof projects.$inferSelect)["retention"] }[] = await db
      .select({ id: projects.id, retention: projects.retention })
      .from(projects)
      .where(after === null ? undefined : gt(projects.id, after))
      .orderBy(asc(projects.id))
      .limit(projectsAtOnce);
    for (const project of page) {
      for (const kind of Object.keys(gone) as KeptKind[]) {
        const days = keptDays(project.retention, kind);
        if (days === null || signal.aborted) continue;
        gone[kind] += await expire(db, signal, kind, { projectId: project.id, days });
      }
    }
    const last = page.at(-1);
    if (!last || page.length < projectsAtOnce) break;
    after = last.id;
  }
  return gone;
}
