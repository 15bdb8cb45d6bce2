import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, type Database } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { pagesRead } from "@/db/testing/rows-read";
import { useMailServers } from "@/lib/testing/mail-servers";
import { PausedSenders } from "./paused-senders";

/* Workers choose what is tried of a paused sender's mail with their heartbeat, which all mail depends on. */

const database = useTestDatabase();
const { sender } = useMailServers(database);
const many = 10_000;

type Sender = Awaited<ReturnType<typeof sender>>;

/** So many emails from the sender's domain, each with a message of its own; held back by its pause, or due now. */
async function fill(db: Database, { ctx, key }: Sender, count: number, held: boolean) {
  await db.execute(sql`
    with mail as (
      select new_id() as id, new_id() as message_id from generate_series(1, ${count})
    ), content as (
      insert into messages (id, project_id, from_email, subject, domain_id)
      select message_id, ${ctx.projectId}::uuid, 'news@example.com', 'Hi', ${key.id}::uuid from mail
    ), log as (
      insert into emails (id, project_id, message_id, recipient, source, status)
      select id, ${ctx.projectId}::uuid, message_id, 'ada@example.org', 'TRANSACTIONAL', 'PENDING'
      from mail
    )
    insert into email_queue (email_id, project_id, due_at, asleep)
    select id, ${ctx.projectId}::uuid, case when ${held} then 'infinity'::timestamptz else app_now() end,
      ${held}
    from mail`);
}

/** What choosing an email of the sender reads, and which one that is. */
async function choice(db: Database, { ctx, key }: Sender) {
  await db.execute(sql`
    insert into sender_pauses (domain_id, project_id, words, probe_at)
    values (${key.id}, ${ctx.projectId}, 'no', app_now())`);
  const pages = await pagesRead(db, ["emails", "messages", "email_queue"], () =>
    new PausedSenders(db).refresh(),
  );
  const [row] = await db.execute<{ chosen: string | null }>(sql`
    select probe_email_id as chosen from sender_pauses where domain_id = ${key.id}`);
  return { pages, chosen: row?.chosen ?? null };
}

test("which of a paused sender's mail is tried is chosen at once, however much waits", async () => {
  const db = connect(database.url, { max: 1 });
  try {
    const [few, large, others] = [await sender(), await sender(), await sender()];
    await fill(db, few, 3, true);
    await fill(db, large, many, true);
    await fill(db, others, many, false);
    await db.execute(sql`vacuum analyze emails, messages, email_queue`);
    // Its sender is paused, and since then it has sent much from another domain.
    const busy = await sender();
    await fill(db, busy, 3, true);
    const another = await sender();
    await fill(db, { ...busy, key: another.key }, many, false);
    for (const one of [few, large, busy]) {
      const { pages, chosen } = await choice(db, one);
      expect(chosen).not.toBeNull();
      expect(pages).toBeLessThan(3_000);
    }
  } finally {
    await db.$client.end({ timeout: 5 });
  }
}, 120_000);
