import type postgres from "postgres";

const atOnce = 5_000;
/** The conditions of the old queue's indexes: each row with work to do is in one of them. */
const indexes = [
  "due_at is not null and campaign_id is null and not asleep",
  "due_at is not null and campaign_id is not null and not asleep",
  "due_at is not null and asleep",
  "warmup_rank is not null",
];

/**
 * Moves mail that waits in `emails`, as versions before email_queue left it, to the queue: the trigger on
 * `emails` does so when its due time is written. In batches of one transaction each, so that mail is accepted
 * and sent meanwhile, and so that it resumes where it was interrupted. Resolves to the number moved.
 */
export async function moveQueuedMail(client: postgres.Sql): Promise<number> {
  let moved = 0;
  for (const waits of indexes) {
    for (;;) {
      const { count } = await client.unsafe(`
        update emails set due_at = due_at, warmup_rank = warmup_rank where id = any(array(
          select id from emails where ${waits} limit ${atOnce} for update
        )) and (due_at is not null or warmup_rank is not null)`);
      moved += count;
      if (count === 0) break;
    }
  }
  return moved;
}
