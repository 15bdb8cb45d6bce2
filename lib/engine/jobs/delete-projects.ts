import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database, Transaction } from "@/db/client";
import { errorCode, isDatabaseAway } from "@/db/errors";
import { afterMail, beforeMail, withMessage, type ProjectTable } from "@/db/project-tables";
import * as tables from "@/db/schema";
import { now } from "@/db/schema/columns";
import { fileStore } from "@/lib/domain/files/store";
import { log } from "@/lib/ground/log";
import { bounded, deleteOld, inBatches } from "./delete-old";

/*
 * A deleted project's content is deleted in small statements, children before parents, so that no foreign key
 * cascades to millions of rows. The mail tables have none. If a run is cut short, the next one continues.
 */

const { emailEvents, emailQueue, emails, files, linkClicks, linkFigures, links } = tables;
const { messages, projectDeletions, projectMoves, projects } = tables;

/** Requests that were under way when the project was deleted have ended by then. */
const settledSeconds = 10;
/** Anything the slowest of them wrote without a foreign key is looked for once more. */
const lateMinutes = 60;
/** Rows of all projects that one statement of a walk looks at. */
const walkedAtOnce = 10_000;

interface Step {
  table: PgTable;
  condition: (projectId: string) => SQL;
}

const stepOf = ({ table, by, parent }: ProjectTable): Step => ({
  table,
  condition: (projectId) =>
    parent
      ? sql`${by} = any(array(select ${parent.id} from ${parent} where ${parent.projectId} = ${projectId}))`
      : sql`${by} = ${projectId}`,
});

const first: readonly Step[] = [
  {
    // Claimed mail ends with its result, or with its lease.
    table: emailQueue,
    condition: (projectId) => sql`${emailQueue.projectId} = ${projectId}
      and (${emailQueue.leaseId} is null or ${emailQueue.leaseUntil} < app_now())`,
  },
  ...beforeMail.map(stepOf),
];
const last = [...withMessage, ...afterMail].map(stepOf);

/** Messages with their links and what was counted of those; attachments go by their foreign key. */
const contentsGone = (ids: SQL) => sql`
  linked as (
    delete from ${links} where ${links.messageId} = any(array(${ids})) returning ${links.id}
  ), counted as (
    delete from ${linkFigures} where ${linkFigures.linkId} = any(array(select id from linked))
  ), contents as (
    delete from ${messages} where ${messages.id} = any(array(${ids})) returning 1
  )`;

/** Emails that wait for nothing, with their events, clicks and content. Resolves to how many went. */
async function deleteEmails(tx: Transaction, projectId: string, most: number): Promise<number> {
  const [row] = await tx.execute<{ gone: number }>(sql`
    with old as materialized (
      select ${emails.id}, ${emails.messageId} from ${emails}
      where ${emails.projectId} = ${projectId}
        and not exists (select from ${emailQueue} where ${emailQueue.emailId} = ${emails.id})
      order by ${emails.createdAt}, ${emails.id} limit ${most}
      for update of ${emails} skip locked
    ), events as (
      delete from ${emailEvents} where ${emailEvents.emailId} = any(array(select id from old))
    ), clicked as (
      delete from ${linkClicks} where ${linkClicks.emailId} = any(array(select id from old))
    ), ${contentsGone(sql`select message_id from old`)}, gone as (
      delete from ${emails} where ${emails.id} = any(array(select id from old)) returning 1
    )
    select count(*)::int as gone from gone`);
  return row?.gone ?? 0;
}

/** Messages that no email of the project names, such as those of campaigns: no index knows whose they are. */
async function deleteMessages(
  db: Database,
  signal: AbortSignal,
  projectId: string,
): Promise<number> {
  let gone = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  const step = async (tx: Transaction, most: number) => {
    const [row] = await tx.execute<{ gone: number; walked: number; last: string | null }>(sql`
      with looked_at as materialized (
        select ${messages.id}, ${messages.projectId} from ${messages}
        where ${messages.id} > ${after}::uuid order by ${messages.id} limit ${most}
      ), ${contentsGone(sql`select id from looked_at where project_id = ${projectId}`)}
      select (select count(*)::int from contents) as gone,
        (select count(*)::int from looked_at) as walked,
        (select id::text from looked_at order by id desc limit 1) as last`);
    gone += row?.gone ?? 0;
    after = row?.last ?? after;
    return row?.walked ?? 0;
  };
  await inBatches(db, signal, step, { most: walkedAtOnce });
  return gone;
}

/** Files lose their bytes first: a row that is left over names missing bytes, and the next run deletes it. */
async function deleteFiles(db: Database, signal: AbortSignal, projectId: string): Promise<number> {
  let gone = 0;
  while (!signal.aborted) {
    const page = await db
      .select({ id: files.id })
      .from(files)
      .where(eq(files.projectId, projectId))
      .limit(100);
    if (page.length === 0) break;
    for (const { id } of page) {
      await fileStore().delete(`${projectId}/${id}`);
      await bounded(db, (tx) => tx.delete(files).where(eq(files.id, id)));
      gone++;
    }
  }
  return gone;
}

/** Deletes everything there is; resolves to how many rows that was. */
async function emptyProject(db: Database, signal: AbortSignal, projectId: string): Promise<number> {
  let gone = 0;
  const take = async (steps: readonly Step[]) => {
    for (const { table, condition } of steps) {
      gone += await deleteOld(db, signal, table, condition(projectId));
    }
  };
  await take(first);
  gone += await inBatches(db, signal, (tx, most) => deleteEmails(tx, projectId, most));
  gone += await deleteMessages(db, signal, projectId);
  await take(last);
  return gone + (await deleteFiles(db, signal, projectId));
}

/** The project's own row, once nobody is working on any of its mail. */
async function endProject(db: Database, projectId: string): Promise<boolean> {
  return bounded(db, async (tx) => {
    const [left] = await tx.execute<{ mail: boolean }>(sql`
      select exists (select from ${emails} where ${emails.projectId} = ${projectId})
        or exists (select from ${emailQueue} where ${emailQueue.projectId} = ${projectId}) as mail`);
    if (left?.mail) return false;
    await tx.delete(projects).where(eq(projects.id, projectId));
    // One that is still on its way is forgotten by `lettermill project move-cancel`, with its triggers.
    await tx
      .delete(projectMoves)
      .where(
        and(
          eq(projectMoves.projectId, projectId),
          inArray(projectMoves.state, ["moved", "arrived"]),
        ),
      );
    await tx
      .update(projectDeletions)
      .set({ emptiedAt: now })
      .where(eq(projectDeletions.projectId, projectId));
    return true;
  });
}

/** Deletes the content of deleted projects; resolves to how many rows that was. */
export async function deleteProjects(
  db: Database,
  signal: AbortSignal,
): Promise<{ rows: number; projects: number }> {
  const { projectId, askedAt, emptiedAt } = projectDeletions;
  const due = await db
    .select({
      id: projectId,
      isEmptied: sql<boolean>`${emptiedAt} is not null`,
      isSettled: sql<boolean>`${askedAt} <= app_now() - make_interval(secs => ${settledSeconds})`,
    })
    .from(projectDeletions)
    .where(
      or(
        isNull(emptiedAt),
        and(
          isNotNull(emptiedAt),
          lte(emptiedAt, sql`app_now() - make_interval(mins => ${lateMinutes})`),
        ),
      ),
    )
    .orderBy(asc(askedAt));
  const summary = { rows: 0, projects: 0 };
  for (const { id, isEmptied, isSettled } of due) {
    try {
      const rows = await emptyProject(db, signal, id);
      summary.rows += rows;
      if (signal.aborted) break;
      if (isEmptied) {
        await db.delete(projectDeletions).where(eq(projectId, id));
      } else if (isSettled && rows === 0 && (await endProject(db, id))) {
        summary.projects++;
        log.info({ projectId: id }, "Everything that a deleted project held is gone.");
      }
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // The next run tries again; others' content is not kept for it.
      log.error({ projectId: id, code: errorCode(error) }, "A deleted project was not emptied.");
    }
  }
  return summary;
}
