import type postgres from "postgres";
import type { MoveState } from "@/db/enums";
import { projectMoves } from "@/db/schema";
import { Fault } from "@/bin/start/fault";
import { lockMove, takesMove } from "./lock";
import { isOf, listed, plan, quoted } from "./plan";

/** What a database says of a project's move. */
export interface State {
  moveId: string;
  state: MoveState;
  /** Where the project goes to, as identityOf says. */
  target: string;
  url: string;
}

/** A move, as both databases know it. */
interface Move {
  projectId: string;
  moveId: string;
}

type Executor = postgres.Sql | postgres.TransactionSql;

const state = quoted(projectMoves.state.name);
const progress = quoted(projectMoves.progress.name);
const changedAt = quoted(projectMoves.changedAt.name);

const endedByAnother = () => new Fault("Another command has ended this move.");

export async function stateOf(client: Executor, projectId: string): Promise<State | null> {
  const [row] = await client<State[]>`
    select move_id as "moveId", state, target, url from project_moves where project_id = ${projectId}`;
  return row ?? null;
}

/** Changes the state at the source, as long as no other command has taken the move over. Throws a Fault. */
export async function setState(
  source: Executor,
  projectId: string,
  next: MoveState,
): Promise<void> {
  const changed = await source.unsafe(
    `update project_moves set ${state} = $1, ${changedAt} = app_now()
      where project_id = $2 and ${takesMove(projectId)} returning 1 as one`,
    [next, projectId],
  );
  if (changed.length === 0) throw new Fault("Another command has taken this move over.");
}

/** Writes down at the source that the project is copied to a target, whatever was written there before. */
export async function beginLeaving(
  tx: postgres.TransactionSql,
  {
    projectId,
    moveId,
    target,
    url,
    filesShared,
  }: Move & { target: string; url: string; filesShared: boolean },
): Promise<void> {
  await lockMove(tx, projectId);
  const ofMove = [
    ...[projectMoves.moveId, projectMoves.state, projectMoves.target, projectMoves.url],
    projectMoves.filesShared,
  ];
  const anew = [...ofMove, projectMoves.progress, projectMoves.changedAt]
    .map(({ name }) => `${quoted(name)} = excluded.${quoted(name)}`)
    .join(", ");
  await tx.unsafe(
    `insert into project_moves (${listed([projectMoves.projectId, ...ofMove])})
      values ($1, $2, 'copying', $3, $4, $5)
      on conflict (${quoted(projectMoves.projectId.name)}) do update set ${anew}`,
    [projectId, moveId, target, url, filesShared],
  );
}

/** Throws a Fault for a project that is deleted, or is being deleted. */
export async function requireProject(source: Executor, projectId: string): Promise<void> {
  const [row] = await source<{ isHere: boolean }[]>`
    select exists (select from projects where id = ${projectId}) and not exists (
      select from project_deletions where project_id = ${projectId}) as "isHere"`;
  if (row?.isHere) return;
  throw new Fault(
    "The project was deleted: `lettermill project move-cancel` with its id clears away what had been copied.",
  );
}

/** What the target says of it, once a transaction that is opening the project there has ended. */
export async function arrivalOf(target: postgres.Sql, projectId: string): Promise<State | null> {
  const [row] = await target<State[]>`
    select move_id as "moveId", state, target, url from project_moves
    where project_id = ${projectId} for update`;
  return row ?? null;
}

/**
 * Keeps the target for this move until the transaction ends, and makes sure that no other command has taken the move
 * over: one that starts asks for the arrival first, and so waits for us. Throws a Fault.
 */
export async function holdArrival(
  from: postgres.TransactionSql,
  to: postgres.TransactionSql,
  { projectId, moveId }: Move,
): Promise<void> {
  const [arriving] = await to`
    select 1 from project_moves
    where project_id = ${projectId} and move_id = ${moveId} and state = 'arriving' for update`;
  if (!arriving) throw endedByAnother();
  await lockMove(from, projectId);
}

/** Opens the project at the target, which is held for this move, once the transaction is committed. */
export async function markArrived(to: postgres.TransactionSql, projectId: string): Promise<void> {
  await to.unsafe(
    `update project_moves set ${state} = 'arrived', ${changedAt} = app_now() where project_id = $1`,
    [projectId],
  );
}

/** The key of the last row of a table that is at the target; `true`: all are; null: none is. */
type Progress = string[] | true | null;

export async function progressOf(
  target: postgres.Sql,
  projectId: string,
  table: string,
): Promise<Progress> {
  const [row] = await target<{ at: Progress }[]>`
    select progress -> ${table} as at from project_moves where project_id = ${projectId}`;
  return row?.at ?? null;
}

/**
 * Notes how far a table has come, with the rows that have. Throws a Fault, so that they do not stay either, once
 * another command has opened the project there or given it up: this one may have been held up for long.
 */
export async function noteProgress(
  tx: postgres.TransactionSql,
  { projectId, moveId }: Move,
  table: string,
  at: Progress,
): Promise<void> {
  const noted = await tx.unsafe(
    `update project_moves
      set ${progress} = jsonb_set(${progress}, array[$1]::text[], $2::text::jsonb), ${changedAt} = app_now()
      where project_id = $3 and move_id = $4 and state = 'arriving' returning 1 as one`,
    [table, JSON.stringify(at), projectId, moveId],
  );
  if (noted.length === 0) throw endedByAnother();
}

/** Takes away what a move that never ended has brought. */
export async function clearArrival(target: postgres.Sql, projectId: string): Promise<void> {
  for (const table of plan.toReversed()) {
    await target.unsafe(`delete from ${quoted(table.name)} where ${isOf(table, projectId)}`);
  }
}

/** Makes the target ready for this move, or finds it so. */
export async function beginArrival(
  target: postgres.Sql,
  projectId: string,
  moveId: string,
): Promise<void> {
  const before = await arrivalOf(target, projectId);
  if (before?.moveId === moveId && before.state === "arriving") return;
  // What is left of another one must not be taken for this one's, should clearing break off.
  await target`delete from project_moves where project_id = ${projectId}`;
  await clearArrival(target, projectId);
  await target`
    insert into project_moves (project_id, move_id, state) values (${projectId}, ${moveId}, 'arriving')`;
}
