import { asc, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database, Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import type { KeptKind } from "@/db/enums";
import {
  auditLog,
  capturedEmails,
  contactChanges,
  domainReports,
  emailEvents,
  emailQueue,
  emails,
  inboundEmails,
  linkClicks,
  linkFigures,
  links,
  messageAttachments,
  messages,
  projects,
  webhookDeliveries,
} from "@/db/schema";
import { keptDays } from "@/lib/domain/retention/retention";
import { firstIdOf } from "@/lib/ground/ids/first-id";
import { deleteOld, inBatches } from "./delete-old";
import { expireEventMonths } from "./event-months";
import type { Parts } from "./parts";

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
async function deleteEmails(
  tx: Transaction,
  { projectId, days }: Kept,
  most: number,
): Promise<number> {
  const [row] = await tx.execute<{ gone: number }>(sql`
    with old as materialized (
      select ${emails.id}, ${emails.messageId}, ${emails.createdAt} from ${emails}
      where ${emails.projectId} = ${projectId} and ${emails.createdAt} < ${before(days)}
        and not exists (select from ${emailQueue} where ${emailQueue.emailId} = ${emails.id})
      order by ${emails.createdAt}, ${emails.id} limit ${most}
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
        and ${messages.campaignId} is null and (
          select true from ${emails} ${leftOver}
          where ${leftOver.projectId} = ${projectId} and ${leftOver.createdAt} = ${messages.createdAt}
            and ${leftOver.messageId} = ${messages.id} and ${leftOver.id} <> all(array(select id from old))
          limit 1) is null
    )
    select count(*)::int as gone from gone`);
  return row?.gone ?? 0;
}

/**
 * Takes the content out of a batch of a project's oldest messages outside campaigns, but for those of which an email
 * waits. Resolves to how many lost it.
 */
async function deleteContents(
  tx: Transaction,
  { projectId, days }: Kept,
  most: number,
): Promise<number> {
  const [row] = await tx.execute<{ gone: number }>(sql`
    with old as materialized (
      select ${messages.id} from ${messages}
      where ${messages.projectId} = ${projectId} and ${messages.campaignId} is null
        and ${messages.contentDeletedAt} is null and ${messages.createdAt} < ${before(days)}
        -- A message outside campaigns has the time of its emails: the log's index finds them.
        and (select true from ${emails} join ${emailQueue} on ${emailQueue.emailId} = ${emails.id}
          where ${emails.projectId} = ${projectId} and ${emails.createdAt} = ${messages.createdAt}
            and ${emails.messageId} = ${messages.id} limit 1) is null
      order by ${messages.createdAt} limit ${most} for update of ${messages} skip locked
    ), files as (
      delete from ${messageAttachments}
      where ${messageAttachments.messageId} = any(array(select id from old))
    ), gone as (
      update ${messages} set ${assignments(messages, {
        html: sql`null`,
        text: sql`null`,
        data: sql`null`,
        contentDeletedAt: sql`app_now()`,
      })} where ${messages.id} = any(array(select id from old)) returning 1
    )
    select count(*)::int as gone from gone`);
  return row?.gone ?? 0;
}

/** Deletes a batch of a project's oldest links outside campaigns, with what was counted of them. */
async function deleteLinks(
  tx: Transaction,
  { projectId, days }: Kept,
  most: number,
): Promise<number> {
  const [row] = await tx.execute<{ gone: number }>(sql`
    with gone as (
      delete from ${links} where ${links.id} = any(array(
        select ${links.id} from ${links}
        where ${links.projectId} = ${projectId} and ${links.campaignId} is null
          and ${links.createdAt} < ${before(days)}
        order by ${links.createdAt} limit ${most} for update skip locked
      )) returning ${links.id}
    ), counted as (
      delete from ${linkFigures} where ${linkFigures.linkId} = any(array(select id from gone))
    )
    select count(*)::int as gone from gone`);
  return row?.gone ?? 0;
}

/** Kinds that go project by project. */
type ByProject = Exclude<KeptKind, "events">;

const inSteps = { emails: deleteEmails, contents: deleteContents, links: deleteLinks };
const isInSteps = (kind: ByProject): kind is keyof typeof inSteps => kind in inSteps;

async function expire(
  db: Database,
  signal: AbortSignal,
  kind: ByProject,
  kept: Kept,
): Promise<number> {
  const { projectId, days } = kept;
  if (isInSteps(kind)) {
    return inBatches(db, signal, (tx, most) => inSteps[kind](tx, kept, most));
  }
  let gone = 0;
  if (kind === "audit") {
    const { projectId: of, createdAt } = contactChanges;
    const old = sql`${of} = ${projectId} and ${createdAt} < ${before(days)}`;
    gone = await deleteOld(db, signal, contactChanges, old);
  }
  if (kind === "received") {
    const { id, projectId: of, createdAt } = inboundEmails;
    // The bound of the id lets the index of the project's mail find it.
    const old = sql`${of} = ${projectId} and ${id} < ${firstIdOf(before(days))}
      and ${createdAt} < ${before(days)}`;
    return deleteOld(db, signal, inboundEmails, old);
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
  parts: Parts,
): Promise<Record<KeptKind, number>> {
  const gone: Record<ByProject, number> = {
    emails: 0,
    contents: 0,
    links: 0,
    captured: 0,
    received: 0,
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
      for (const kind of Object.keys(gone) as ByProject[]) {
        const days = keptDays(project.retention, kind);
        if (days === null || signal.aborted) continue;
        const kept = { projectId: project.id, days };
        gone[kind] += await parts.attempt(kind, () => expire(db, signal, kind, kept), 0);
      }
    }
    const last = page.at(-1);
    if (!last || page.length < projectsAtOnce) break;
    after = last.id;
  }
  const events = await parts.attempt("events", () => expireEventMonths(db, signal), 0);
  return { ...gone, events };
}
