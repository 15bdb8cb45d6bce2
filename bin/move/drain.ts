import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";

/** A worker that has not learned by then that it may not begin the project's mail learns it before its next claim. */
const drainSeconds = 5;
/** What a dead worker held may have been sent: it is left alone as long as short runs leave it (sending/claims.ts). */
const abandonedSeconds = 90;
/** A letter to the team is claimed for five minutes (team-letters/send.ts), and leaves or fails in the first. */
const letterSeconds = { lease: 300, longest: 60 };
/** No index finds a project's part of the queue. */
const waitMilliseconds = 1_000;

/** What has been begun of a project's work, and would be begun again by whoever does not hear how it ended. */
interface Begun {
  emails: number;
  /** Calls of webhooks, and letters to the team. */
  others: number;
}

/** How many emails of the project are being handed over. */
export async function heldMail(
  source: postgres.Sql | postgres.TransactionSql,
  projectId: string,
): Promise<number> {
  const [row] = await source<{ held: number }[]>`
    select count(*)::int as held from email_queue
    where project_id = ${projectId} and lease_id is not null
      and lease_until > app_now() - make_interval(secs => ${abandonedSeconds})`;
  return row?.held ?? 0;
}

async function begunOf(source: postgres.Sql, projectId: string): Promise<Begun> {
  const [row] = await source<{ others: number }[]>`
    select (select count(*) from webhook_deliveries
        where webhook_id in (select id from webhooks where project_id = ${projectId})
          and lease_id is not null and due_at > app_now())::int
      + (select count(*) from team_letters
        where project_id = ${projectId} and attempts > 0
          and due_at > app_now() + make_interval(secs => ${letterSeconds.lease - letterSeconds.longest}))::int
      as others`;
  return { emails: await heldMail(source, projectId), others: row?.others ?? 0 };
}

/**
 * Waits until nothing of the project is under way, `waitSeconds` at most. Resolves to how many emails still are:
 * those alone must not be begun by two.
 */
export async function waitForBegun(
  source: postgres.Sql,
  projectId: string,
  waitSeconds: number,
): Promise<number> {
  await sleep(1_000 * drainSeconds);
  const began = performance.now();
  for (;;) {
    const { emails, others } = await begunOf(source, projectId);
    const seconds = (performance.now() - began) / 1000;
    if (emails + others === 0 || seconds > waitSeconds) return emails;
    await sleep(waitMilliseconds);
  }
}
