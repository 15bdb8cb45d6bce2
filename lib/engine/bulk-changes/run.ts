import { and, asc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { passesByItself, retryConflicts } from "@/db/errors";
import { assignments } from "@/db/names";
import { bulkChanges, contacts } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { hasName } from "@/lib/domain/contact-fields/bulk-changes";
import { moveDescription } from "@/lib/domain/contact-fields/fields";
import { isOfChosen, isOfField } from "@/lib/domain/contact-fields/terms";
import { recount } from "@/lib/domain/contact-fields/survey";
import { switchOver } from "@/lib/domain/contact-fields/switch-over";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { noteTeamLetter } from "@/lib/domain/team-letters/note";
import { systemContext, type Context } from "@/lib/ground/context";
import { isAppError } from "@/lib/ground/errors";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { laterThan } from "@/lib/ground/updates/stale";
import { takeChosenStep } from "./chosen";
import { leaseEnd } from "./lease";

const contactsAtOnce = 5_000;
const retrySeconds = 30;
const mostFailedSteps = 10;
/** How long a change is worked on before those of other projects have their turn. */
const usualTurn = 5_000;

type Change = typeof bulkChanges.$inferSelect;

/**
 * Makes due changes of many contacts, which take turns, until none is due or the signal aborts. Each chunk
 * commits together with its cursor: a crash costs the lease and repeats nothing. Returns how many contacts changed.
 */
export async function runBulkChanges(
  db: Database,
  signal: AbortSignal,
  turnMilliseconds = usualTurn,
): Promise<number> {
  let changed = 0;
  while (!signal.aborted) {
    const ends = performance.now() + turnMilliseconds;
    const rests = (begun: boolean) => signal.aborted || (begun && performance.now() >= ends);
    const done = await runNext(db, rests, lte(bulkChanges.dueAt, now));
    if (done === null) return changed;
    changed += done;
  }
  return changed;
}

/** Makes this change (uuid) now, if no worker has begun. */
export async function runBulkChange(db: Database, id: string): Promise<void> {
  const rests = () => false;
  await runNext(db, rests, and(eq(bulkChanges.id, id), eq(bulkChanges.status, "PENDING")));
}

/** Resolves to how many contacts it changed; null when there was nothing to do. */
async function runNext(
  db: Database,
  rests: (begun: boolean) => boolean,
  which: SQL | undefined,
): Promise<number | null> {
  const leaseId = newUnownedId();
  const due = db
    .select({ id: bulkChanges.id })
    .from(bulkChanges)
    .where(and(which, worksHere(bulkChanges.projectId)))
    .orderBy(asc(bulkChanges.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [claimed] = await db
    .update(bulkChanges)
    .set({ status: "RUNNING", leaseId, dueAt: leaseEnd })
    .where(eq(bulkChanges.id, sql`(${due})`))
    .returning({ id: bulkChanges.id });
  if (!claimed) return null;
  let changed = 0;
  try {
    for (let more = true, steps = 0; more; steps++) {
      const rest = rests(steps > 0);
      const step = await retryConflicts(() =>
        db.transaction((tx) => takeStep(db, tx, { id: claimed.id, leaseId, rest })),
      );
      changed += step.changed;
      more = step.more;
    }
  } catch (error) {
    log.error({ bulkChange: claimed.id, name: (error as Error).name }, "A bulk change failed.");
    await noteFailure(db, claimed.id, leaseId, error);
  }
  return changed;
}

/** Tried again, but not for ever; what cannot work is not tried again at all. The team is told of the end. */
async function noteFailure(db: Database, id: string, leaseId: string, error: unknown) {
  const reason = isAppError(error) ? error.message : inEnglish("It failed again and again.");
  const failed = passesByItself(error) ? 0 : 1;
  const ends = isAppError(error)
    ? sql`true`
    : sql`${bulkChanges.failedSteps} + ${failed}::int >= ${mostFailedSteps}`;
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(bulkChanges)
      .set({
        failedSteps: sql`${bulkChanges.failedSteps} + ${failed}::int`,
        leaseId: null,
        status: sql`case when ${ends} then 'FAILED' else 'RUNNING' end`,
        failureReason: sql`case when ${ends} then ${reason} end`,
        finishedAt: sql`case when ${ends} then app_now() end`,
        dueAt: sql`case when ${ends} then null
          else app_now() + make_interval(secs => ${retrySeconds}) end`,
      })
      .where(and(eq(bulkChanges.id, id), eq(bulkChanges.leaseId, leaseId)))
      .returning({ projectId: bulkChanges.projectId, status: bulkChanges.status });
    if (row?.status !== "FAILED") return;
    const letter = { subject: "bulkChange", subjectId: id, reason } as const;
    await noteTeamLetter(tx, row.projectId, "workFailed", letter);
  });
}

/** What the stage sets in contacts that meet its conditions, both about `contacts c`. */
function stageOf({ action, name, newName, stage }: Change): { has: SQL; set: SQL } {
  const data = (value: SQL) =>
    assignments(contacts, { data: value, updatedAt: laterThan(c.updatedAt) });
  const tags = (value: SQL) =>
    assignments(contacts, { tags: value, updatedAt: laterThan(c.updatedAt) });
  const has = hasName(action, name);
  const hasBoth = newName === null ? sql`true` : hasName(action, newName);
  const without = isOfField(action)
    ? sql`${c.data} - ${name}::text`
    : sql`array_remove(${c.tags}, ${name})`;
  const beside = isOfField(action)
    ? sql`jsonb_build_object(${newName}::text, ${c.data} -> ${name}::text)`
    : sql`array[${newName}]::text[]`;
  const write = isOfField(action) ? data : tags;
  if (stage === "copy") {
    const held = isOfField(action) ? c.data : c.tags;
    return { has: sql`${has} and not (${hasBoth})`, set: write(sql`${held} || ${beside}`) };
  }
  // Who got the old name after the copy, from a program that does not know of the rename, is renamed now.
  return {
    has,
    set: write(
      newName === null
        ? without
        : sql`case when ${hasBoth} then ${without} else (${without}) || ${beside} end`,
    ),
  };
}

/** One chunk, or the turn from one stage to the next; `more` is false when it has ended, is another's, or rests. */
async function takeStep(
  db: Database,
  tx: Transaction,
  { id, leaseId, rest }: { id: string; leaseId: string; rest: boolean },
): Promise<{ changed: number; more: boolean }> {
  const own = eq(bulkChanges.id, id);
  const [change] = await tx
    .select()
    .from(bulkChanges)
    .where(and(own, eq(bulkChanges.leaseId, leaseId)))
    .for("update");
  if (!change) return { changed: 0, more: false };
  if (rest) {
    await tx.update(bulkChanges).set({ leaseId: null, dueAt: now }).where(own);
    return { changed: 0, more: false };
  }
  if (isOfChosen(change.action)) return takeChosenStep(db, tx, change);
  const { projectId, cursor } = change;
  const inChunk = sql`${c.projectId} = ${projectId}
    and ${cursor === null ? sql`true` : sql`${c.id} > ${cursor}`}`;
  const [chunk] = await tx.execute<{ last: string | null; looked: number }>(sql`
    with chunk as (
      select ${c.id} from ${contacts} c where ${inChunk} order by ${c.id} limit ${contactsAtOnce}
    )
    select (select id from chunk order by id desc limit 1) as last, (select count(*)::int from chunk) as looked`);
  if (!chunk?.last) {
    const ended = await endStage(tx, systemContext(db, projectId), change);
    return { changed: 0, more: !ended };
  }
  const { has, set } = stageOf(change);
  const rows = await tx.execute(sql`
    update ${contacts} c set ${set}
    where ${inChunk} and ${c.id} <= ${chunk.last} and ${has}
    returning 1 as one`);
  const stages = change.newName === null ? 1 : 2;
  await tx
    .update(bulkChanges)
    .set({
      cursor: chunk.last,
      total:
        change.total > 0
          ? change.total
          : stages * (await tx.$count(contacts, eq(contacts.projectId, projectId))),
      processed: sql`${bulkChanges.processed} + ${chunk.looked}`,
      // A rename changes the same contacts in both stages.
      changed: sql`${bulkChanges.changed} + ${change.stage === "clear" ? rows.length : 0}`,
      failedSteps: 0,
      dueAt: leaseEnd,
    })
    .where(own);
  return { changed: change.stage === "clear" ? rows.length : 0, more: true };
}

/** Resolves to whether the change has ended with this stage. */
async function endStage(tx: Transaction, ctx: Context, change: Change): Promise<boolean> {
  const own = eq(bulkChanges.id, change.id);
  if (change.stage === "copy") {
    await switchOver(tx, ctx, change);
    await tx.update(bulkChanges).set({ stage: "clear", cursor: null, dueAt: leaseEnd }).where(own);
    return false;
  }
  if (change.action === "remove_field") {
    await moveDescription(tx, change.projectId, change.name, null);
  }
  await tx
    .update(bulkChanges)
    .set({ status: "COMPLETED", leaseId: null, dueAt: null, finishedAt: now })
    .where(own);
  await recount(tx, change.projectId);
  return true;
}
