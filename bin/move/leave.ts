import { eq } from "drizzle-orm";
import type postgres from "postgres";
import { connect } from "@/db/client";
import { auditLog, files, projectDeletions, projectMoves } from "@/db/schema";
import { closeProject } from "@/lib/domain/projects/delete";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { Fault } from "@/bin/start/fault";
import { identityOf, openSource, openTarget, sourceSession } from "./ends";
import { lowerFence, passFence } from "./fence";
import { lockMove } from "./lock";
import { arrivalOf, clearArrival, setState, stateOf, type State } from "./states";

/** Columns that say when a row of a project is due. The programs leave it alone; whoever watches them sees nothing overdue. */
const dueColumns: readonly [table: string, column: string][] = [
  ["bulk_changes", "due_at"],
  ["campaigns", "due_at"],
  ["contact_imports", "due_at"],
  ["contact_surveys", "due_at"],
  ["domains", "next_check_at"],
  ["segments", "count_due_at"],
  ["sending_connections", "probe_at"],
  ["team_letters", "due_at"],
];

/**
 * What is left at the source once the project is open at the target: no mail, and nothing that is due. Keys and
 * members stay, and are told where it is.
 */
export async function endHere(source: postgres.Sql, projectId: string): Promise<void> {
  await source.begin(async (tx) => {
    await passFence(tx, projectId);
    await setState(tx, projectId, "moved");
    await tx`delete from email_queue where project_id = ${projectId}`;
    await tx`delete from sender_pauses where project_id = ${projectId}`;
    for (const [table, column] of dueColumns) {
      await tx`update ${tx(table)} set ${tx(column)} = null
        where project_id = ${projectId} and ${tx(column)} is not null`;
    }
    await tx`update webhook_deliveries set due_at = null
      where webhook_id in (select id from webhooks where project_id = ${projectId})
        and due_at is not null`;
    // At Amazon SES they are the target's now: the job that deletes what is gone must not find them.
    await tx`delete from ses_identities where domain_id in (
      select id from domains where project_id = ${projectId})`;
    await tx`delete from project_move_changes where project_id = ${projectId}`;
  });
}

const notMoving = () => new Fault("This project is not being moved.");

/** Ends a move that is not done: the project stays where it is, if it still is. Throws a Fault. */
export async function cancelMove(
  sourceUrl: string,
  targetUrl: string,
  projectId: string,
): Promise<void> {
  const source = openSource(sourceUrl);
  try {
    await lockMove(source, projectId);
    const state = await stateOf(source, projectId);
    if (!state || state.state === "arrived" || state.state === "arriving") throw notMoving();
    if (state.state === "moved") throw new Fault(`The project has moved to ${state.url}.`);
    const target = await openTarget(targetUrl);
    try {
      await endArrival(target, projectId, state);
      await setState(source, projectId, "copying");
    } finally {
      await target.end({ timeout: 5 });
    }
    await lowerFence(source, projectId);
    await source`delete from project_move_changes where project_id = ${projectId}`;
    await source`delete from project_moves where project_id = ${projectId}`;
  } finally {
    await source.end({ timeout: 5 });
  }
}

/** From here on the target cannot be opened, and what it has of the project goes. Throws a Fault if it is open. */
async function endArrival(target: postgres.Sql, projectId: string, move: State): Promise<void> {
  if ((await identityOf(target)) !== move.target) {
    throw new Fault("This move goes to another database: name that one.");
  }
  // Waits for whoever is opening it.
  const arrival = await arrivalOf(target, projectId);
  if (arrival?.moveId === move.moveId && arrival.state === "arrived") {
    throw new Fault("The project is open at the target: `project move` once more ends it here.");
  }
  const [there] = await target`select 1 from projects where id = ${projectId}`;
  if (there && move.state === "closed") {
    throw new Fault(
      "The target has the project, but has forgotten this move: if it is not used there, delete it there first.",
    );
  }
  await target`delete from project_moves
    where project_id = ${projectId} and move_id = ${move.moveId} and state = 'arriving'`;
  if (!there) await clearArrival(target, projectId);
}

/**
 * Has what a project that moved left here deleted, as for a deleted project. The job that does so forgets the move
 * with the project: until then, nothing of it is worked on here. Throws a Fault.
 */
export async function removeMoved(url: string, projectId: string): Promise<void> {
  const db = connect(url, { max: 1, session: sourceSession });
  try {
    await lockMove(db.$client, projectId);
    const [move] = await db
      .select({ state: projectMoves.state, filesShared: projectMoves.filesShared })
      .from(projectMoves)
      .where(eq(projectMoves.projectId, projectId));
    if (move?.state !== "moved") throw new Fault("This project has not moved away.");
    await lowerFence(db.$client, projectId);
    await db.transaction(async (tx) => {
      // Without their rows, the job leaves the bytes to the other installation.
      if (move.filesShared) await tx.delete(files).where(eq(files.projectId, projectId));
      const asked = await tx
        .insert(projectDeletions)
        .values({ projectId })
        .onConflictDoNothing()
        .returning({ projectId: projectDeletions.projectId });
      if (asked.length === 0) return;
      await closeProject(tx, projectId);
      await tx.insert(auditLog).values({
        id: newId(projectId),
        actorType: "system",
        action: "delete.project",
        target: encodeId("project", projectId),
        details: { moved: true },
        requestId: "system",
      });
    });
  } finally {
    await db.$client.end({ timeout: 5 });
  }
}
