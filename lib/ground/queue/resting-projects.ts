import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { MoveState } from "@/db/enums";
import { projectMoves } from "@/db/schema";

/*
 * Projects on their way to another database, and those that have gone there. What a closed project refuses fails the
 * whole statement, with others' changes in it: whoever works for many projects at once asks before.
 */

const isIn = (...states: readonly MoveState[]) =>
  sql`${projectMoves.state} in (${sql.raw(states.map((state) => `'${state}'`).join(", "))})`;
const isResting = isIn("draining", "closing", "closed", "moved");

const isNot = (projectId: PgColumn, condition: SQL): SQL => sql`not exists (
  select from ${projectMoves} where ${projectMoves.projectId} = ${projectId} and ${condition})`;

/** SQL: the projects of which nothing is begun here. */
export const restingProjects = sql`select ${projectMoves.projectId} as id from ${projectMoves} where ${isResting}`;

/** SQL: whether work of the project may be begun. Whoever claims what is due asks. */
export const worksHere = (projectId: PgColumn): SQL => isNot(projectId, isResting);

/** SQL: whether the project is open here: neither closed nor gone. */
export const isOpenHere = (projectId: PgColumn): SQL =>
  isNot(projectId, isIn("closing", "closed", "moved"));

/** SQL: whether the project has not gone. What is asked of a closed one fails, and is to be asked again. */
export const livesHere = (projectId: PgColumn): SQL => isNot(projectId, isIn("moved"));
