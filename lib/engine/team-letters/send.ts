import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { teamLetters } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { mailTeam } from "@/lib/domain/team-letters/mail";
import { log } from "@/lib/ground/log";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { composeTeamLetter } from "./compose";
import { noteWeeklySummaries } from "./week";

const atOnce = 20;
/** How long a worker has for the letters it took; also when one that did not leave is tried again. */
const leaseSeconds = 300;
const mostAttempts = 12;

type NotedLetter = typeof teamLetters.$inferSelect;

/** Mails the team letters that are due; resolves to how many left. */
export async function sendTeamLetters(db: Database, signal: AbortSignal): Promise<number> {
  await noteWeeklySummaries(db);
  let sent = 0;
  while (!signal.aborted) {
    const letters = await claim(db);
    for (const letter of letters) sent += (await sendLetter(db, letter)) ? 1 : 0;
    if (letters.length < atOnce) break;
  }
  return sent;
}

async function claim(db: Database): Promise<NotedLetter[]> {
  const due = db
    .select({ id: teamLetters.id })
    .from(teamLetters)
    .where(and(lte(teamLetters.dueAt, now), worksHere(teamLetters.projectId)))
    .orderBy(asc(teamLetters.dueAt))
    .limit(atOnce)
    .for("update", { skipLocked: true });
  return db
    .update(teamLetters)
    .set({
      dueAt: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
      attempts: sql`${teamLetters.attempts} + 1`,
    })
    .where(inArray(teamLetters.id, due))
    .returning();
}

/**
 * Resolves to whether the letter is done with. If no mail left, as the mail server was away, it comes round again.
 */
async function sendLetter(db: Database, letter: NotedLetter): Promise<boolean> {
  try {
    const compose = await composeTeamLetter(db, letter);
    if (compose) {
      const { sent, unsent } = await mailTeam(db, letter.projectId, letter.kind, compose);
      if (sent === 0 && unsent > 0 && letter.attempts < mostAttempts) return false;
    }
  } catch (error) {
    log.error({ letterId: letter.id, code: errorCode(error) }, "A team's letter failed.");
    if (letter.attempts < mostAttempts) return false;
  }
  await db.update(teamLetters).set({ dueAt: null }).where(eq(teamLetters.id, letter.id));
  return true;
}
