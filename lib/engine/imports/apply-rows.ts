import { and, asc, eq, gt, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { passesByItself, retryConflicts } from "@/db/errors";
import { contactImportRows, contactImports, forgottenAddresses, lists } from "@/db/schema";
import { now } from "@/db/schema/columns";
import {
  forgottenAddress,
  forgottenHash,
  restoredSuppressions,
} from "@/lib/domain/contacts/forgotten";
import { joinMany } from "@/lib/domain/lists/join-many";
import { noteTeamLetter } from "@/lib/domain/team-letters/note";
import { AppError, isAppError } from "@/lib/ground/errors";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { emitEvents } from "@/lib/ground/events/emit";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { dropAbandonedUploads, toImport } from "@/lib/domain/imports/imports";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { takeOverStatement, type Forgotten, type TakenOver } from "./apply-rows-statement";

const rowsAtOnce = 10_000;
/** Where a list may write to each of them. */
const rowsThatJoin = 200;
const leaseSeconds = 120;
const retrySeconds = 30;
/** How long an import is worked on before those of other projects have their turn. */
const usualTurn = 5_000;
const mostFailedSteps = 10;
/** What its owner is told of an import that is given up. */
const hopeless = inEnglish("It failed ten times in a row because of a fault on our side.");

const leaseEnd = sql`app_now() + make_interval(secs => ${leaseSeconds})`;

interface Claimed {
  /** uuid */
  id: string;
  projectId: string;
  tags: string[];
  /** uuid */
  listId: string | null;
  testMode: boolean;
  failedSteps: number;
}

/**
 * Imports staged rows, projects taking turns, until none is due or the signal aborts. Each chunk commits together
 * with its cursor: a crash costs the lease and repeats nothing. Returns how many rows it imported or skipped.
 */
export async function takeOverImports(
  db: Database,
  { signal, turnMilliseconds = usualTurn }: { signal: AbortSignal; turnMilliseconds?: number },
): Promise<number> {
  await dropAbandonedUploads(db);
  let rows = 0;
  let last: string | undefined;
  while (!signal.aborted) {
    const leaseId = newUnownedId();
    const due = db
      .select({ id: contactImports.id })
      .from(contactImports)
      .where(and(lte(contactImports.dueAt, now), worksHere(contactImports.projectId)))
      // A project with many imports is not the next one again while another waits.
      .orderBy(
        ...(last === undefined ? [] : [asc(eq(contactImports.projectId, last))]),
        asc(contactImports.dueAt),
      )
      .limit(1)
      .for("update", { skipLocked: true });
    const [claimed] = await db
      .update(contactImports)
      .set({
        status: "RUNNING",
        leaseId,
        dueAt: leaseEnd,
        // Counted before it begins: what ends its worker is told by nothing else.
        failedSteps: sql`${contactImports.failedSteps} + 1`,
      })
      .where(eq(contactImports.id, sql`(${due})`))
      .returning({
        id: contactImports.id,
        projectId: contactImports.projectId,
        tags: contactImports.tags,
        listId: contactImports.listId,
        testMode: contactImports.testMode,
        failedSteps: contactImports.failedSteps,
      });
    if (!claimed) return rows;
    last = claimed.projectId;
    try {
      if (claimed.failedSteps > mostFailedSteps) await endWithFault(db, claimed, leaseId, hopeless);
      else {
        const ends = performance.now() + turnMilliseconds;
        const rests = (begun: boolean) => signal.aborted || (begun && performance.now() >= ends);
        rows += await takeOver(db, claimed, leaseId, rests);
      }
    } catch (error) {
      log.error({ import: claimed.id, name: (error as Error).name }, "an import's chunk failed");
      if (isAppError(error)) await endWithFault(db, claimed, leaseId, error.message);
      else await putOff(db, claimed, leaseId, error);
    }
  }
  return rows;
}

/** The rows stay staged and the cursor stays put, so that another try continues from there; not for ever. */
async function putOff(db: Database, claimed: Claimed, leaseId: string, error: unknown) {
  const [row] = await db
    .update(contactImports)
    .set({
      ...(passesByItself(error) ? { failedSteps: sql`${contactImports.failedSteps} - 1` } : {}),
      dueAt: sql`app_now() + make_interval(secs => ${retrySeconds})`,
    })
    .where(heldBy(claimed, leaseId))
    .returning({ failedSteps: contactImports.failedSteps });
  if (row && row.failedSteps >= mostFailedSteps) {
    await endWithFault(db, claimed, leaseId, hopeless);
  }
}

const heldBy = ({ id }: Claimed, leaseId: string) =>
  and(eq(contactImports.id, id), eq(contactImports.leaseId, leaseId));

/** For what no further try can change, such as a list that has been deleted. The team is told. */
async function endWithFault(db: Database, claimed: Claimed, leaseId: string, reason: string) {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(contactImports)
      .set({
        status: "FAILED",
        failureReason: reason,
        dueAt: null,
        leaseId: null,
        finishedAt: now,
      })
      .where(heldBy(claimed, leaseId))
      .returning({ name: contactImports.filename });
    if (!row) return;
    const letter = { subject: "import", subjectId: claimed.id, name: row.name, reason } as const;
    await noteTeamLetter(tx, claimed.projectId, "workFailed", letter);
  });
}

async function takeOver(
  db: Database,
  claimed: Claimed,
  leaseId: string,
  rests: (begun: boolean) => boolean,
): Promise<number> {
  for (let rows = 0; ;) {
    const chunk = await retryConflicts(() =>
      db.transaction((tx) => takeOverChunk(tx, claimed, leaseId, rests(rows > 0))),
    );
    rows += chunk.rows;
    if (!chunk.more) return rows;
  }
}

/** The staged rows of a chunk that were not refused. */
const ofChunk = (importId: string, after: number, upTo: number) =>
  and(
    eq(contactImportRows.importId, importId),
    gt(contactImportRows.line, after),
    lte(contactImportRows.line, upTo),
    isNull(contactImportRows.refusal),
  );

/** One chunk; `more` is false when the import has ended, now belongs to somebody else, or should pause. */
async function takeOverChunk(
  tx: Transaction,
  claimed: Claimed,
  leaseId: string,
  rest: boolean,
): Promise<{ rows: number; more: boolean }> {
  const { id, projectId } = claimed;
  const [state] = await tx
    .select({ doneLine: contactImports.doneLine, totalRows: contactImports.totalRows })
    .from(contactImports)
    .where(and(eq(contactImports.id, id), eq(contactImports.leaseId, leaseId)))
    .for("update");
  if (!state) return { rows: 0, more: false };
  if (rest) {
    await tx
      .update(contactImports)
      .set({ leaseId: null, dueAt: now, failedSteps: 0 })
      .where(eq(contactImports.id, id));
    return { rows: 0, more: false };
  }
  const lastLine = state.totalRows + 1;
  const to = Math.min(lastLine, state.doneLine + (claimed.listId ? rowsThatJoin : rowsAtOnce));
  const counts = await takeOverRows(tx, claimed, state.doneLine, to);
  const done = to >= lastLine;
  await tx
    .update(contactImports)
    .set({
      doneLine: to,
      processed: sql`${contactImports.processed} + ${to - state.doneLine}`,
      created: sql`${contactImports.created} + ${counts.created}`,
      updated: sql`${contactImports.updated} + ${counts.updated}`,
      refused: sql`${contactImports.refused} + ${counts.refused}`,
      keptUnsubscribed: sql`${contactImports.keptUnsubscribed} + ${counts.kept}`,
      joined: sql`${contactImports.joined} + ${counts.joined}`,
      notJoined: sql`${contactImports.notJoined} + ${counts.notJoined}`,
      ...(done
        ? { status: "COMPLETED", leaseId: null, dueAt: null, finishedAt: now, failedSteps: 0 }
        : { status: "RUNNING", leaseId, dueAt: leaseEnd, finishedAt: null, failedSteps: 1 }),
    })
    .where(eq(contactImports.id, id));
  if (done) {
    // One event for all of its rows: a million events would tell nobody anything.
    const [row] = await tx.select().from(contactImports).where(eq(contactImports.id, id));
    if (row) await emitEvents(tx, [{ projectId, type: "import.completed", data: toImport(row) }]);
  }
  return { rows: to - state.doneLine, more: !done };
}

/** Imports the rows after `from`, up to `to`, and counts the results. */
async function takeOverRows(
  tx: Transaction,
  { id: importId, projectId, tags, listId, testMode }: Claimed,
  from: number,
  to: number,
): Promise<Omit<TakenOver, "again" | "taken"> & { joined: number; notJoined: number }> {
  const chunk = ofChunk(importId, from, to);
  const list = listId === null ? null : await findList(tx, projectId, listId);
  const besides = { tags, join: list !== null, confirm: list?.subscribeConfirmation ?? false };
  const counts = { created: 0, updated: 0, refused: 0, kept: 0, joined: 0, notJoined: 0 };
  for (let again: string[] | null = null; again === null || again.length > 0;) {
    const forgotten = await forgottenAmong(tx, projectId, chunk);
    const rows = await tx.execute<TakenOver>(
      takeOverStatement({ projectId, importId }, chunk, forgotten, besides),
    );
    const [taken] = rows;
    if (!taken) throw new Error("Taking rows over returned nothing.");
    for (const name of ["created", "updated", "refused", "kept"] as const) {
      counts[name] += taken[name];
    }
    again = taken.again;
    if (list && taken.taken) {
      const by = { source: "import", origin: "import", importId, testMode } as const;
      const { joined, unsubscribed, leftList } = await joinMany(tx, list, taken.taken, by);
      counts.joined += joined.length;
      counts.notJoined += unsubscribed + leftList;
    }
    await tx
      .delete(contactImportRows)
      .where(
        again.length === 0
          ? chunk
          : and(chunk, sql`lower(${contactImportRows.email}) <> all(${sql.param(again)}::text[])`),
      );
  }
  return counts;
}

async function findList(tx: Transaction, projectId: string, listId: string) {
  const [list] = await tx
    .select()
    .from(lists)
    .where(and(eq(lists.projectId, projectId), eq(lists.id, listId)))
    .for("key share");
  if (!list) throw new AppError("NOT_FOUND", inEnglish("The list has been deleted meanwhile."));
  return list;
}

/** Which addresses of the chunk were once deleted for good; restores their suppressions. */
async function forgottenAmong(
  tx: Transaction,
  projectId: string,
  chunk: SQL | undefined,
): Promise<Forgotten> {
  const [any] = await tx
    .select({ hash: forgottenAddresses.hash })
    .from(forgottenAddresses)
    .where(eq(forgottenAddresses.projectId, projectId))
    .limit(1);
  if (!any) return { all: [], objected: [] };
  const addresses = await tx
    .selectDistinct({
      email: sql<string>`${contactImportRows.email}`,
      key: sql<string>`lower(${contactImportRows.email})`,
    })
    .from(contactImportRows)
    .where(chunk);
  const keys = addresses.map(({ key }) => key);
  // Of the address as it is written, as everywhere else: the database's lower case is not that of the hash.
  const hashes = addresses.map(({ email }) => forgottenHash(projectId, email));
  const existing = await tx.execute<{ email: string; objected: boolean }>(sql`
    with forgettable as (
      select * from unnest(${sql.param(keys)}::text[], ${sql.param(hashes)}::text[]) as address(email, hash)
    ), forgotten_address as (
      select ${projectId}::uuid as project_id, forgettable.email, forgettable.hash as forgotten,
        forgotten.objected_at is not null as objected
      from forgettable
      cross join lateral ${forgottenAddress(sql`${projectId}`, sql`forgettable.hash`)} forgotten
    ), ${restoredSuppressions("forgotten_address")}
    select email, objected from forgotten_address`);
  return {
    all: existing.map(({ email }) => email),
    objected: existing.flatMap(({ email, objected }) => (objected ? [email] : [])),
  };
}
