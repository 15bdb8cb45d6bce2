import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { Fault } from "@/bin/start/fault";
import { literal } from "./plan";

const lockSpace = 7_243_001;
/** Postgres may take a moment to notice that the command before this one was killed. */
const longestWaitMilliseconds = 15_000;
const pauseMilliseconds = 250;

/** The lock that writers of the project share until their transaction ends, for the text of a statement. */
export const writersLock = (projectId: string) => `${lockSpace}, hashtext(${literal(projectId)})`;

/**
 * SQL: takes the lock of whoever moves the project, or has it already. It ends with the connection: one that was
 * lost and made anew does not have it, so everything that depends on it asks again.
 */
export const takesMove = (projectId: string) =>
  `pg_try_advisory_lock(${lockSpace + 1}, hashtext(${literal(projectId)}))`;

/** Keeps a second command away. Throws a Fault while there is one. */
export async function lockMove(
  client: postgres.Sql | postgres.TransactionSql,
  projectId: string,
): Promise<void> {
  for (const began = performance.now(); ; await sleep(pauseMilliseconds)) {
    const [row] = await client.unsafe<{ ours: boolean }[]>(
      `select ${takesMove(projectId)} as ours`,
    );
    if (row?.ours) return;
    if (performance.now() - began > longestWaitMilliseconds) {
      throw new Fault("Another command is moving this project.");
    }
  }
}
