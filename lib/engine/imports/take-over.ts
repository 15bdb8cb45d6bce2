import { and, asc, eq, gt, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { assignments, insertSelected } from "@/db/names";
import { contactImportRows, contactImports, contacts, forgottenAddresses } from "@/db/schema";
import { now } from "@/db/schema/columns";
import {
  forgottenAddress,
  forgottenHash,
  restoredSuppressions,
} from "@/lib/domain/contacts/forgotten";
import { lockedContact } from "@/lib/domain/contacts/rows";
import { largestData, mostDataKeys, tooLarge } from "@/lib/domain/contacts/schema";
import { newId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { emitEvents } from "@/lib/ground/events/emit";
import { dropAbandonedUploads, toImport } from "@/lib/domain/imports/imports";

const rowsAtOnce = 10_000;
const leaseSeconds = 120;

const leaseEnd = sql`app_now() + make_interval(secs => ${leaseSeconds})`;

interface Claimed {
  /** uuid */
  id: string;
  projectId: string;
}

/**
 * Takes staged rows over into contacts, one import after the other, until none is due or the signal
 * aborts. Each chunk and its cursor commit together: a crash costs the lease and repeats nothing.
 * Returns how many rows it took over or passed.
 */
export async function takeOverImports(
  db: Database,
  { signal }: { signal: AbortSignal },
): Promise<number> {
  await dropAbandonedUploads(db);
  let rows = 0;
  while (!signal.aborted) {
    const leaseId = newId();
    const due = db
      .select({ id: contactImports.id })
      .from(contactImports)
      .where(lte(contactImports.dueAt, now))
      .orderBy(asc(contactImports.dueAt))
      .limit(1)
      .for("update", { skipLocked: true });
    const [claimed] = await db
      .update(contactImports)
      .set({ status: "RUNNING", leaseId, dueAt: leaseEnd })
      .where(eq(contactImports.id, sql`(${due})`))
      .returning({ id: contactImports.id, projectId: contactImports.projectId });
    if (!claimed) return rows;
    try {
      rows += await takeOver(db, claimed, leaseId, signal);
    } catch (error) {
      // The rows stay staged and the cursor stands: when the lease ends, another try continues from there.
      log.error({ import: claimed.id, name: (error as Error).name }, "an import's chunk failed");
      return rows;
    }
  }
  return rows;
}

async function takeOver(
  db: Database,
  claimed: Claimed,
  leaseId: string,
  signal: AbortSignal,
): Promise<number> {
  for (let rows = 0; ;) {
    const chunk = await retryConflicts(() =>
      db.transaction((tx) => takeOverChunk(tx, claimed, leaseId, signal.aborted)),
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

/** The row's value for a column, or the contact's own where the row has none. */
const givenOr = (column: string, nothing: string, kept: SQL) => {
  const incoming = sql.raw(`excluded.${column}`);
  return sql`case ${incoming} when ${sql.raw(nothing)} then ${kept} else ${incoming} end`;
};

/** One chunk; `more` is false when the import has ended, is somebody else's now, or shall rest. */
async function takeOverChunk(
  tx: Transaction,
  { id, projectId }: Claimed,
  leaseId: string,
  rest: boolean,
): Promise<{ rows: number; more: boolean }> {
  const [state] = await tx
    .select({ doneLine: contactImports.doneLine, totalRows: contactImports.totalRows })
    .from(contactImports)
    .where(and(eq(contactImports.id, id), eq(contactImports.leaseId, leaseId)))
    .for("update");
  if (!state) return { rows: 0, more: false };
  if (rest) {
    await tx
      .update(contactImports)
      .set({ leaseId: null, dueAt: now })
      .where(eq(contactImports.id, id));
    return { rows: 0, more: false };
  }
  const lastLine = state.totalRows + 1;
  const to = Math.min(lastLine, state.doneLine + rowsAtOnce);
  const oversized = await refuseOversized(tx, projectId, ofChunk(id, state.doneLine, to));
  const forgotten = await forgottenAmong(tx, projectId, id, state.doneLine, to);
  const [counts] = await tx.execute<{ created: number; updated: number; kept: number }>(sql`
    with given as materialized (
      -- The same address twice: the later line wins.
      select distinct on (lower(email)) lower(email) as key, email, first_name, last_name, tags,
        case subscribed when 'true' then 'subscribed' when 'false' then 'unsubscribed' end as consent,
        data
      from ${contactImportRows} where ${ofChunk(id, state.doneLine, to)}
      order by lower(email), line desc
    ), known as materialized (
      -- A file says "subscribed" of everybody: that is no word on somebody who has unsubscribed.
      select existing.id, given.*,
        given.consent = 'subscribed' and existing.consent = 'unsubscribed' as stays_unsubscribed
      from (select * from given order by key) given
      cross join lateral ${lockedContact(sql`${projectId}`, sql`given.key`)} existing
    ), changed as (
      update ${contacts} set ${assignments(contacts, {
        firstName: sql`coalesce(known.first_name, ${contacts.firstName})`,
        lastName: sql`coalesce(known.last_name, ${contacts.lastName})`,
        consent: sql`case when stays_unsubscribed then ${contacts.consent}
          else coalesce(known.consent, ${contacts.consent}) end`,
        tags: sql`coalesce(known.tags, ${contacts.tags})`,
        data: sql`${contacts.data} || known.data`,
        updatedAt: now,
      })}
      from known
      where ${contacts.id} = known.id
      returning 1
    ), made as (
      ${insertSelected(contacts, {
        id: sql`new_id()`,
        projectId: sql`${projectId}::uuid`,
        email: sql`email`,
        firstName: sql`coalesce(first_name, '')`,
        lastName: sql`coalesce(last_name, '')`,
        consent: sql`coalesce(consent, case
          when key = any(${sql.param(forgotten)}::text[]) then 'unsubscribed' else 'subscribed' end)`,
        tags: sql`coalesce(tags, '{}')`,
        data: sql`data`,
      })}
      -- Hashed, whatever the planner thinks of a chunk's size; keys are never null.
      from given where key not in (select key from known)
      order by key
      -- Somebody made the contact since our look: it is changed like the known ones.
      on conflict (project_id, lower(email)) do update set ${assignments(contacts, {
        firstName: givenOr("first_name", "''", sql`${contacts.firstName}`),
        lastName: givenOr("last_name", "''", sql`${contacts.lastName}`),
        tags: givenOr("tags", "'{}'", sql`${contacts.tags}`),
        data: sql`${contacts.data} || excluded.data`,
        updatedAt: now,
      })}
      returning 1
    )
    select (select count(*) from made)::int as created, (select count(*) from changed)::int as updated,
      (select count(*) from known where stays_unsubscribed)::int as kept`);
  await tx.delete(contactImportRows).where(ofChunk(id, state.doneLine, to));
  const done = to >= lastLine;
  await tx
    .update(contactImports)
    .set({
      doneLine: to,
      processed: sql`${contactImports.processed} + ${to - state.doneLine}`,
      created: sql`${contactImports.created} + ${counts?.created ?? 0}`,
      updated: sql`${contactImports.updated} + ${counts?.updated ?? 0}`,
      refused: sql`${contactImports.refused} + ${oversized}`,
      keptUnsubscribed: sql`${contactImports.keptUnsubscribed} + ${counts?.kept ?? 0}`,
      ...(done
        ? { status: "COMPLETED", leaseId: null, dueAt: null, finishedAt: now }
        : { status: "RUNNING", leaseId, dueAt: leaseEnd, finishedAt: null }),
    })
    .where(eq(contactImports.id, id));
  if (done) {
    // One event for all of its rows: a million would be no news.
    const [row] = await tx.select().from(contactImports).where(eq(contactImports.id, id));
    if (row) await emitEvents(tx, [{ projectId, type: "import.completed", data: toImport(row) }]);
  }
  return { rows: to - state.doneLine, more: !done };
}

/** Refuses rows whose attributes, merged, would outgrow what a contact holds. Returns how many. */
async function refuseOversized(
  tx: Transaction,
  projectId: string,
  chunk: SQL | undefined,
): Promise<number> {
  const { importId, line, email, data } = contactImportRows;
  // Compressed, 64 kB take some hundred bytes at least: most rows are passed over without being read.
  const merged = sql`
    select ${importId}, ${line} from ${contactImportRows} cross join lateral (
      select ${contacts.data} || ${contactImportRows.data} as attributes from ${contacts}
      where ${contacts.projectId} = ${projectId} and lower(${contacts.email}) = lower(${email})
        and pg_column_size(${contacts.data}) + pg_column_size(${data}) > 250
      offset 0
    ) as merged
    where ${chunk} and (length(attributes::text) > ${largestData}
      or (select count(*) from jsonb_object_keys(attributes)) > ${mostDataKeys})`;
  const refused = await tx
    .update(contactImportRows)
    .set({ refusal: tooLarge })
    .where(sql`(${importId}, ${line}) in (${merged})`)
    .returning({ line });
  return refused.length;
}

/** Which addresses (lower case) of the chunk were once deleted for good; restores their suppressions. */
async function forgottenAmong(
  tx: Transaction,
  projectId: string,
  importId: string,
  from: number,
  to: number,
): Promise<string[]> {
  const [any] = await tx
    .select({ hash: forgottenAddresses.hash })
    .from(forgottenAddresses)
    .where(eq(forgottenAddresses.projectId, projectId))
    .limit(1);
  if (!any) return [];
  const addresses = await tx
    .selectDistinct({ email: sql<string>`lower(${contactImportRows.email})` })
    .from(contactImportRows)
    .where(ofChunk(importId, from, to));
  const emails = addresses.map((row) => row.email);
  const hashes = emails.map((email) => forgottenHash(projectId, email));
  const existing = await tx.execute<{ email: string }>(sql`
    with given as (
      select * from unnest(${sql.param(emails)}::text[], ${sql.param(hashes)}::text[]) as one(email, hash)
    ), found as (
      select ${projectId}::uuid as project_id, given.email, given.hash as forgotten from given
      cross join lateral ${forgottenAddress(sql`${projectId}`, sql`given.hash`)} forgotten
    ), ${restoredSuppressions("found")}
    select email from found`);
  return existing.map((row) => row.email);
}
