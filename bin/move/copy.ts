import type { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type postgres from "postgres";
import { sqlState, violatedConstraint } from "@/db/errors";
import { Fault } from "@/bin/start/fault";
import {
  isDue,
  isOf,
  listed,
  literal,
  quoted,
  selected,
  type OtherIds,
  type Planned,
} from "./plan";
import { noteProgress, progressOf } from "./states";

/** Rows of one transaction at the target: what a kill costs. */
const chunkRows = 20_000;
const chunkBytes = 16 * 1024 * 1024;
const tries = 3;

/** Both ends. Each is one connection, whose settings and locks last as long as it. */
export interface Ends {
  source: postgres.Sql;
  target: postgres.Sql;
  projectId: string;
  moveId: string;
  people: OtherIds;
}

type Executor = postgres.Sql | postgres.TransactionSql;

/** A connection that is lost before somebody reads is told to whoever does. */
const toldLater = <Side extends EventEmitter>(stream: Side): Side => stream.on("error", () => {});

/**
 * What the query reads, as COPY writes it. The driver (3.4.9) pauses its connection while much is unread, and a stream
 * that has all it will get asks for no more: its end has the connection go on.
 */
async function readFrom(executor: Executor, query: string): Promise<Readable> {
  const stream = toldLater(await executor.unsafe(`copy (${query}) to stdout`).readable());
  return stream.once("end", () => stream._read(0));
}

/** What a stream has, without ending it: a COPY that nobody reads to its end keeps its connection busy for good. */
const chunksIn = (stream: Readable) =>
  stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

/** Lets the connection go on whose rows nobody wants any more. */
async function readToEnd(stream: Readable): Promise<void> {
  stream.resume();
  await finished(stream).catch(() => {});
}

/** Takes in what the query reads; `take` gets it as it comes. */
async function withRowsOf(
  executor: Executor,
  query: string,
  take: (rows: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const stream = await readFrom(executor, query);
  try {
    await take(chunksIn(stream));
  } catch (error) {
    await readToEnd(stream);
    throw error;
  }
}

/**
 * Copies rows, as COPY writes them, into a table that refuses none. What can go wrong nevertheless, such as a full disk,
 * the driver (3.4.9) does not hear of once all is sent: the statement behind it does.
 */
async function sendRows(
  to: postgres.TransactionSql,
  into: string,
  rows: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const copy = toldLater(await to.unsafe(`copy ${into} from stdin`).writable());
  const refused = new Promise<never>((_, reject) => {
    const finish = copy._final.bind(copy);
    copy._final = (callback) => {
      finish(callback);
      to.unsafe("select 1").catch(reject);
    };
  });
  await Promise.race([pipeline(rows, copy), refused]);
}

/** Puts rows into the table, by way of one without keys, by which COPY has nothing to refuse. */
async function load(
  to: postgres.TransactionSql,
  table: Planned,
  rows: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const [name, columns] = [quoted(table.name), listed(table.columns)];
  await to.unsafe(`create temporary table loaded on commit drop as
    select ${columns} from ${name} where false`);
  try {
    await sendRows(to, "loaded", rows);
  } catch (error) {
    if (sqlState(error) !== "25P02") throw error;
    throw new Fault(`The target did not take the rows of ${table.name}: its log says why.`);
  }
  await to.unsafe(`insert into ${name} (${columns}) select ${columns} from loaded`);
  await to.unsafe("drop table loaded");
}

/** Copies what the query reads, all of the table's columns, into the table. */
export async function copyRows(
  from: Executor,
  query: string,
  to: postgres.TransactionSql,
  table: Planned,
): Promise<void> {
  await withRowsOf(from, query, (rows) => load(to, table, rows));
}

/** The next lines of a stream, whole ones. */
async function* chunksOf(
  stream: Readable,
): AsyncGenerator<{ bytes: Buffer; last: string; rows: number }> {
  let parts: Buffer[] = [];
  let [size, rows] = [0, 0];
  const take = () => {
    const all = Buffer.concat(parts);
    const end = all.lastIndexOf(10);
    const bytes = all.subarray(0, end + 1);
    const start = end <= 0 ? -1 : all.lastIndexOf(10, end - 1);
    const taken = { bytes, last: all.toString("utf8", start + 1, end), rows };
    parts = [Buffer.from(all.subarray(end + 1))];
    [size, rows] = [all.length - end - 1, 0];
    return taken;
  };
  for await (const chunk of chunksIn(stream)) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++;
    parts.push(chunk);
    size += chunk.length;
    if (rows > 0 && (rows >= chunkRows || size >= chunkBytes)) yield take();
  }
  if (rows > 0) yield take();
}

/** A value of COPY's text form as it was. */
const unescaped = (text: string) =>
  text.replace(/\\([bfnrtv\\])/g, (_, letter: string) =>
    letter === "\\" ? "\\" : { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }[letter]!,
  );

/** Those of a row's values that are its key; `line` begins with them. */
const keyOf = (table: Planned, line: string) => line.split("\t", table.key.length).map(unescaped);

/** The table's columns, its key first. */
const inOrder = (table: Planned): Planned => ({
  ...table,
  columns: [
    ...table.key,
    ...table.columns.filter(({ name }) => !table.key.some((column) => column.name === name)),
  ],
});

/**
 * Copies a large table's rows in the order of their keys, from behind the last that is there. Others' rows change
 * meanwhile: what is copied is what it was at some moment, and the rest is written down.
 */
export async function copyTable(
  ends: Ends,
  planned: Planned,
  say: (rows: number) => void,
): Promise<void> {
  const table = inOrder(planned);
  for (let attempt = 1; ; attempt++) {
    try {
      return await copyOn(ends, table, say);
    } catch (error) {
      // Two rows exchanged a value that is unique, one of them before it was read and one after.
      if (sqlState(error) !== "23505") throw error;
      if (attempt === tries) {
        throw new Fault(
          `The target has a row of another project that excludes one of ${table.name} (${violatedConstraint(error) ?? "a unique index"}).`,
        );
      }
      await emptyTable(ends, table);
    }
  }
}

/** Has a table copied from its beginning. */
export async function emptyTable(ends: Ends, table: Planned): Promise<void> {
  await ends.target.begin(async (tx) => {
    await tx.unsafe(`delete from ${quoted(table.name)} where ${isOf(table, ends.projectId)}`);
    await noteProgress(tx, ends, table.name, null);
  });
}

/** From where it has come to; what was copied stays when it breaks off. */
async function copyOn(ends: Ends, table: Planned, say: (rows: number) => void): Promise<void> {
  const { source, target, projectId, people } = ends;
  const after = await progressOf(target, projectId, table.name);
  if (after === true) return;
  const key = table.key.map(({ name }) => `${quoted(table.name)}.${quoted(name)}`).join(", ");
  const behind = after?.map((value, at) => `${literal(value)}::${table.key[at]?.getSQLType()}`);
  const stream = await readFrom(
    source,
    `select ${selected(table, people)} from ${quoted(table.name)}
      where ${isOf(table, projectId)} and ${isDue(table, false)}
        ${behind ? `and (${key}) > (${behind.join(", ")})` : ""}
      order by ${key}`,
  );
  try {
    for await (const { bytes, last, rows } of chunksOf(stream)) {
      await target.begin(async (tx) => {
        await load(tx, table, [bytes]);
        await noteProgress(tx, ends, table.name, keyOf(table, last));
      });
      say(rows);
    }
  } catch (error) {
    await readToEnd(stream);
    throw error;
  }
  await target.begin((tx) => noteProgress(tx, ends, table.name, true));
}

/**
 * Brings the target's rows to what they are in the source's snapshot: those of units that were written down are
 * deleted there and copied again. Resolves to how many changes that were.
 */
export async function copyChanges(
  { projectId, people }: Ends,
  tables: readonly Planned[],
  from: postgres.TransactionSql,
  to: postgres.TransactionSql,
): Promise<number> {
  const counts = await from<{ name: string; changes: number }[]>`
    select table_name as name, count(*)::int as changes from project_move_changes
    where project_id = ${projectId} group by 1`;
  for (const table of tables) {
    if (!counts.some(({ name }) => name === table.name)) continue;
    const units = `select distinct ${table.unit
      .map((column, at) => `unit[${at + 1}]::${column.getSQLType()} as ${quoted(column.name)}`)
      .join(", ")} from project_move_changes
      where project_id = ${literal(projectId)} and table_name = ${literal(table.name)}`;
    const isOfUnit = (row: string) =>
      table.unit
        .map(({ name }) => `${quoted(table.name)}.${quoted(name)} = ${row}.${quoted(name)}`)
        .join(" and ");
    await to.unsafe(`create temporary table changed_units on commit drop as
      select ${listed(table.unit)} from ${quoted(table.name)} where false`);
    await withRowsOf(from, units, (rows) => sendRows(to, "changed_units", rows));
    await to.unsafe(`analyze changed_units`);
    // Another project of the target may have the same unit: links that were counted have numbers that repeat.
    const by = `${quoted(table.name)}.${quoted(table.by.name)}`;
    const isOurs =
      table.parent === null
        ? `${by} = ${literal(projectId)}`
        : `not exists (select from ${quoted(table.parent)} parent
            where parent.id = ${by} and parent.project_id <> ${literal(projectId)})`;
    await to.unsafe(`delete from ${quoted(table.name)} using changed_units u
      where ${isOfUnit("u")} and ${isOurs}`);
    await copyRows(
      from,
      `select ${selected(table, people)} from ${quoted(table.name)} join (${units}) u on ${isOfUnit("u")}
        where ${isOf(table, projectId)} and ${isDue(table, false)}`,
      to,
      table,
    );
    await to.unsafe("drop table changed_units");
  }
  return counts.reduce((sum, { changes }) => sum + changes, 0);
}

/** Forgets changes that a snapshot has seen and the target has. */
export async function forgetChanges({ source, projectId }: Ends, snapshot: string): Promise<void> {
  await source`delete from project_move_changes where project_id = ${projectId}
    and pg_visible_in_snapshot(transaction, ${snapshot}::pg_snapshot)`;
}

/** Runs with one view of the source, whatever commits meanwhile; `snapshot` names it. */
export function inSnapshot<Result>(
  source: postgres.Sql,
  run: (from: postgres.TransactionSql, snapshot: string) => Promise<Result>,
): Promise<Result> {
  return source.begin("isolation level repeatable read read only", async (from) => {
    const [row] = await from<{ seen: string }[]>`select pg_current_snapshot()::text as seen`;
    if (!row) throw new Error("Postgres names no snapshot.");
    return run(from, row.seen);
  }) as Promise<Result>;
}
