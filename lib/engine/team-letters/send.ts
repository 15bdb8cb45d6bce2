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

/** How long a worker has for a letter; also when one that did not leave is tried again. */
const leaseSeconds = 300;
const mostAttempts = 12;

type NotedLetter = typeof teamLetters.$inferSelect;

/** Mails the team letters that are due; resolves to how many left. */
export async function sendTeamLetters(db: Database, signal: AbortSignal): Promise<number> {
  await noteWeeklySummaries(db);
  let sent = 0;
  while (!signal.aborted) {
    const letter = await claim(db);
    if (!letter) break;
    if (await sendLetter(db, letter)) sent++;
  }
  return sent;
}

/** One at a time: a slow mail server may take longer for several than all of them are ours. */
async function claim(db: Database): Promise<NotedLetter | undefined> {
  const due = db
    .select({ id: teamLetters.id })
    .from(teamLetters)
    .where(and(lte(teamLetters.dueAt, now), worksHere(teamLetters.projectId)))
    .orderBy(asc(teamLetters.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [letter] = await db
    .update(teamLetters)
    .set({
      dueAt: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
      attempts: sql`${teamLetters.attempts} + 1`,
    })
    .where(inArray(teamLetters.id, due))
    .returning();
  return letter;
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
