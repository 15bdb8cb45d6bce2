import { inArray } from "drizzle-orm";
import type { Database } from "@/db/client";
import { projectMoves } from "@/db/schema";
import { answerWithin } from "@/lib/ground/queue/answer-within";
import { restingProjects } from "@/lib/ground/queue/resting-projects";
import { projectHasMoved, projectIsMoving } from "@/lib/ground/unforeseen-errors";

/** Where a project is that is not to be used here now; `url`: where it is instead, null while it is on its way. */
export interface Away {
  url: string | null;
}

/** A project is not closed before every program had this long to learn that it will be (bin/move/move.ts). */
export const learnedMilliseconds = 500;

const longestWaitMilliseconds = 250;

interface Known {
  /** Of performance.now(). */
  readAt: number;
  away: Promise<ReadonlyMap<string, Away>>;
  /** What was read last. */
  before: ReadonlyMap<string, Away>;
  isRead: boolean;
}

const known = new WeakMap<Database, Known>();

async function readAway(db: Database): Promise<ReadonlyMap<string, Away>> {
  const rows = await db
    .select({ id: projectMoves.projectId, state: projectMoves.state, url: projectMoves.url })
    .from(projectMoves)
    .where(inArray(projectMoves.state, ["closing", "closed", "moved"]));
  return new Map(rows.map(({ id, state, url }) => [id, { url: state === "moved" ? url : null }]));
}

const none: ReadonlyMap<string, Away> = new Map();

function look(db: Database): Known {
  const last = known.get(db);
  if (last && performance.now() - last.readAt < learnedMilliseconds) return last;
  const looked: Known = {
    readAt: performance.now(),
    away: readAway(db),
    before: last?.before ?? none,
    isRead: false,
  };
  known.set(db, looked);
  looked.away.then(
    (away) => {
      looked.before = away;
      looked.isRead = true;
    },
    () => {
      if (known.get(db) === looked) looked.readAt = -Infinity;
    },
  );
  return looked;
}

/**
 * The projects (uuids) that are not to be used here. Of a database that does not answer at once, what is known: it
 * must not hold up those who follow a link.
 */
export async function projectsAway(db: Database): Promise<ReadonlyMap<string, Away>> {
  const { away, before, isRead } = look(db);
  if (isRead) return before;
  return (
    (await answerWithin(
      longestWaitMilliseconds,
      away.catch(() => before),
    )) ?? before
  );
}

/** Throws UNAVAILABLE for a project (uuid) that is being closed or has moved to another database. */
export async function requireHere(db: Database, projectId: string): Promise<void> {
  const away = (await look(db).away).get(projectId);
  if (!away) return;
  if (away.url === null) throw projectIsMoving();
  throw projectHasMoved(away.url);
}

/** The projects (uuids) whose mail no worker begins here, since they are about to leave or have left. */
export async function projectsWithoutMail(db: Database): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(restingProjects);
  return rows.map(({ id }) => id);
}
