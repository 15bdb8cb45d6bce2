import { eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { contactImports, forgottenAddresses } from "@/db/schema";
import { forgottenHash, restoredSuppressions } from "@/lib/domain/contacts/forgotten";
import { newId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { emitEvents } from "@/lib/ground/events/emit";
import { toImport } from "@/lib/domain/imports/imports";

const rowsAtOnce = 10_000;
const leaseSeconds = 120;

interface Claimed extends Record<string, unknown> {
  id: string;
  project_id: string;
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
  let rows = 0;
  while (!signal.aborted) {
    const leaseId = newId();
    const [claimed] = await db.execute<Claimed>(sql`
      update contact_imports set status = 'RUNNING', lease_id = ${leaseId},
        due_at = app_now() + make_interval(secs => ${leaseSeconds})
      where id = (
        select id from contact_imports where due_at <= app_now()
        order by due_at for update skip locked limit 1
      )
      returning id, project_id`);
    if (!claimed) return rows;
    try {
      rows += await takeOver(db, claimed, leaseId, signal);
    } catch (error) {
      // The rows stay staged and the cursor stands: after the lease another try goes on from there.
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

/** One chunk; `more` is false when the import has ended, is somebody else's now, or shall rest. */
async function takeOverChunk(
  tx: Transaction,
  { id, project_id: projectId }: Claimed,
  leaseId: string,
  rest: boolean,
): Promise<{ rows: number; more: boolean }> {
  const [state] = await tx.execute<{ done_line: number; total_rows: number }>(sql`
    select done_line, total_rows from contact_imports
    where id = ${id} and lease_id = ${leaseId} for update`);
  if (!state) return { rows: 0, more: false };
  if (rest) {
    await tx.execute(sql`
      update contact_imports set lease_id = null, due_at = app_now() where id = ${id}`);
    return { rows: 0, more: false };
  }
  const lastLine = state.total_rows + 1;
  const to = Math.min(lastLine, state.done_line + rowsAtOnce);
  const forgotten = await forgottenAmong(tx, projectId, id, state.done_line, to);
  const [counts] = await tx.execute<{ created: number; updated: number }>(sql`
    with given as materialized (
      -- The same address twice: the later line wins.
      select distinct on (lower(email)) lower(email) as key, email, first_name, last_name, tags,
        case subscribed when 'true' then 'subscribed' when 'false' then 'unsubscribed' end as consent,
        data
      from contact_import_rows
      where import_id = ${id} and line > ${state.done_line} and line <= ${to} and refusal is null
      order by lower(email), line desc
    ), known as materialized (
      select c.id, given.* from given
      join contacts c on c.project_id = ${projectId} and lower(c.email) = given.key
      order by given.key for update of c
    ), changed as (
      update contacts c set
        first_name = coalesce(known.first_name, c.first_name),
        last_name = coalesce(known.last_name, c.last_name),
        consent = coalesce(known.consent, c.consent),
        tags = coalesce(known.tags, c.tags),
        data = c.data || known.data,
        updated_at = app_now()
      from known
      where c.id = known.id
      returning 1
    ), made as (
      insert into contacts as c (id, project_id, email, first_name, last_name, consent, tags, data)
      select new_id(), ${projectId}, email, coalesce(first_name, ''), coalesce(last_name, ''),
        coalesce(consent,
          case when key = any(${sql.param(forgotten)}::text[]) then 'unsubscribed' else 'subscribed' end),
        coalesce(tags, '{}'), data
      -- Hashed, whatever the planner thinks of a chunk's size; keys are never null.
      from given where key not in (select key from known)
      order by key
      -- Somebody made the contact since our look: it is changed like the known ones.
      on conflict (project_id, lower(email)) do update set
        first_name = case excluded.first_name when '' then c.first_name else excluded.first_name end,
        last_name = case excluded.last_name when '' then c.last_name else excluded.last_name end,
        tags = case excluded.tags when '{}' then c.tags else excluded.tags end,
        data = c.data || excluded.data,
        updated_at = app_now()
      returning 1
    )
    select (select count(*) from made)::int as created, (select count(*) from changed)::int as updated`);
  await tx.execute(sql`
    delete from contact_import_rows
    where import_id = ${id} and line > ${state.done_line} and line <= ${to} and refusal is null`);
  const done = to >= lastLine;
  await tx.execute(sql`
    update contact_imports set done_line = ${to}, processed = processed + ${to - state.done_line},
      created = created + ${counts?.created ?? 0}, updated = updated + ${counts?.updated ?? 0},
      status = ${done ? "COMPLETED" : "RUNNING"},
      lease_id = ${done ? null : leaseId},
      due_at = ${done ? sql`null` : sql`app_now() + make_interval(secs => ${leaseSeconds})`},
      finished_at = ${done ? sql`app_now()` : sql`null`}
    where id = ${id}`);
  if (done) {
    // One event for all of its rows: a million would be no news.
    const [row] = await tx.select().from(contactImports).where(eq(contactImports.id, id));
    if (row) await emitEvents(tx, [{ projectId, type: "import.completed", data: toImport(row) }]);
  }
  return { rows: to - state.done_line, more: !done };
}

/** Which addresses (lower case) of the chunk were once deleted for good; restores their suppressions. */
async function forgottenAmong(
  tx: Transaction,
  projectId: string,
  importId: string,
  from: number,
  to: number,
): Promise<string[]> {
  const [any] = await tx.execute(
    sql`select 1 from forgotten_addresses where project_id = ${projectId} limit 1`,
  );
  if (!any) return [];
  const addresses = await tx.execute<{ email: string }>(sql`
    select distinct lower(email) as email from contact_import_rows
    where import_id = ${importId} and line > ${from} and line <= ${to} and refusal is null`);
  const emails = addresses.map((row) => row.email);
  const hashes = emails.map((email) => forgottenHash(projectId, email));
  const found = await tx.execute<{ email: string }>(sql`
    with given as (
      select * from unnest(${sql.param(emails)}::text[], ${sql.param(hashes)}::text[]) as one(email, hash)
    ), found as (
      select ${projectId}::uuid as project_id, given.email, given.hash as forgotten from given
      join ${forgottenAddresses} on ${forgottenAddresses.projectId} = ${projectId}
        and ${forgottenAddresses.hash} = given.hash
    ), ${restoredSuppressions("found")}
    select email from found`);
  return found.map((row) => row.email);
}
