import { eq, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import { sqlState } from "@/db/errors";
import { insertSelected } from "@/db/names";
import { deletedRows } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";

/** For how long a deletion can be taken back. */
const minutes = 10;

export const tooOldToBringBack = sql`${deletedRows.deletedAt} <= app_now() - make_interval(mins => ${minutes})`;

/** Rows that a thing is made of. */
export interface PartOfThing {
  table: PgTable;
  /** The thing's uuid. */
  by: PgColumn;
  /** Only so many are kept, those first that have the most of it. Absent: all are. */
  newest?: { by: PgColumn; most: number };
  /** Of a row named `kept`: whether it still belongs anywhere. Absent: it does, or nothing is brought back. */
  belongs?: SQL;
}

/**
 * Keeps what is about to be deleted in the same transaction: the thing's own row first. Ids are uuids. What a program
 * deletes is not kept: only people are offered to take it back.
 */
export async function keepDeleted(
  tx: Transaction,
  { projectId, actor }: Context,
  id: string,
  parts: readonly PartOfThing[],
): Promise<void> {
  if (actor.type === "apiKey") return;
  for (const { table, by, newest } of parts) {
    const bound = newest && sql`order by ${newest.by} desc limit ${newest.most}`;
    await tx.execute(sql`
      ${insertSelected(deletedRows, {
        projectId: sql`${projectId}::uuid`,
        thingId: sql`${id}::uuid`,
        tableName: sql`${getTableName(table)}::text`,
        place: sql`row_number() over ()`,
        row: sql`to_json(${table})`,
      })} from (select * from ${table} where ${by} = ${id} ${bound ?? sql``}) ${table}`);
  }
}

/**
 * What was deleted in the project cannot be brought back any more: it names what is about to be renamed or removed for
 * everybody, which nobody would find in it.
 */
export async function forgetDeleted(tx: Transaction, projectId: string): Promise<void> {
  await tx.delete(deletedRows).where(eq(deletedRows.projectId, projectId));
}

/** What kept it from coming back, by the state of SQL. */
const obstacles: Readonly<Record<string, string>> = {
  "23502": "It was deleted by an older version of the product and cannot be brought back.",
  "23503": "What it belonged to is gone, so that it cannot be brought back.",
  "23505": "Something else has its name or place by now.",
};

/**
 * Writes a deleted thing's rows as they were. Throws NOT_FOUND for what was not deleted within ten minutes, CONFLICT
 * where something has taken its place or what it belonged to is gone.
 */
export async function bringBack(
  tx: Transaction,
  { projectId }: Context,
  id: string,
  parts: readonly PartOfThing[],
): Promise<void> {
  for (const [at, { table, belongs }] of parts.entries()) {
    const back = await tx
      .execute(
        sql`
        with taken as (
          delete from ${deletedRows}
          where ${deletedRows.thingId} = ${id} and ${deletedRows.tableName} = ${getTableName(table)}
            and ${deletedRows.projectId} = ${projectId} and not (${tooOldToBringBack})
          returning ${deletedRows.row} as was
        )
        insert into ${table}
        select kept.* from taken, json_populate_record(null::${table}, taken.was) kept
        where ${belongs ?? sql`true`} returning 1`,
      )
      .catch((error: unknown) => {
        const obstacle = obstacles[sqlState(error) ?? ""];
        throw obstacle === undefined ? error : new AppError("CONFLICT", obstacle);
      });
    if (at === 0 && back.length === 0) throw notFound();
  }
}
