import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/*
 * Rows that have a key of their own are looked up by that, and their project is compared with what was found. By the
 * project alone the planner would take reading all of it for as cheap as one row, if it has no statistics about it:
 * it then takes it for an empty one. No index can answer "is true".
 */

type Owned = Record<"id" | "projectId", PgColumn>;

/** SQL: whether the row that was found belongs to the project (a uuid, or SQL of one). */
export const ownedBy = (projectId: PgColumn, owner: string | SQL | PgColumn): SQL =>
  sql`(${projectId} = ${owner}) is true`;

/** SQL: the row with this id (a uuid, or SQL of one), if it is the project's. */
export const byId = (of: Owned, projectId: string, id: string | SQL | PgColumn): SQL =>
  sql`${of.id} = ${id} and ${ownedBy(of.projectId, projectId)}`;

/** SQL: those of the rows with these ids (uuids) that are the project's. */
export const byIds = (of: Owned, projectId: string, ids: readonly string[]): SQL =>
  sql`${of.id} = any(${sql.param(ids)}::uuid[]) and ${ownedBy(of.projectId, projectId)}`;
