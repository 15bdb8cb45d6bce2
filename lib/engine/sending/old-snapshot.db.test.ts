import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { send } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { claimEmails } from "./claim";
import { postponeEmails, releaseEmails, renewLeases, wakeSleepers } from "./leases";
import { recordResults } from "./record";
import { resultOf } from "./result";

const database = useTestDatabase();
const { sender } = useMailServers(database);
beforeEach(async () => {
  await database.db.execute(sql`truncate emails, email_queue cascade`);
});

const accepted = {
  kind: "accepted" as const,
  reply: { code: 250, enhancedCode: "2.0.0", text: "Queued." },
};
const claim = (limit = 100) => claimEmails(database.db, { limit, leaseSeconds: 60 });
const idsOf = ({ emails }: { emails: readonly { id: string }[] }) => emails.map(({ id }) => id);

/** Rows of the queue's indexes that were looked at while `work` ran, dead ones with them. */
async function lookedAt(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const [row] = await database.db.execute<{ read: number }>(sql`
      select sum(idx_tup_read)::int as read from pg_stat_user_indexes
      where indexrelname in ('email_queue_projects', 'email_queue_campaigns', 'email_queue_places')`);
    return row?.read ?? 0;
  };
  const flushAll = async () => {
    // Each connection of the pool reports its own figures.
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.db.execute(sql`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
      ),
    );
  };
  await flushAll();
  const before = await read();
  await work();
  await flushAll();
  return (await read()) - before;
}

it("does not walk past mail that left while a transaction stayed open, however much of it there is", async () => {
  const { ctx, domain } = await sender();
  await claim();
  const churned = 3_000;
  const reader = connect(database.url, { max: 1 });
  try {
    await reader.transaction(
      async (tx) => {
        await tx.execute(sql`select count(*) from campaigns`);
        for (let gone = 0; gone < churned;) {
          await database.db.execute(sql`
            with written as (
              insert into emails (id, project_id, message_id, recipient, source, status)
              select new_id(), ${ctx.projectId}, ${newUnownedId()}, 'p@example.org', 'TRANSACTIONAL', 'PENDING'
              from generate_series(1, 100) returning id, project_id
            ) insert into email_queue (email_id, project_id, due_at)
              select id, project_id, app_now() from written`);
          const { emails } = await claim();
          await recordResults(
            database.db,
            emails.map((email) => resultOf(email, accepted)),
          );
          gone += emails.length;
        }
        const [id] = await send(ctx, { from: `shop@${domain}` });
        let claimed: string[] = [];
        const walked = await lookedAt(async () => {
          claimed = idsOf(await claim());
        });
        expect(claimed).toEqual([id]);
        expect(walked).toBeLessThan(churned / 3);
      },
      { isolationLevel: "repeatable read" },
    );
  } finally {
    await reader.$client.end({ timeout: 5 });
  }
});

it("finds mail of a transaction that began before others' mail was claimed, and ended after", async () => {
  const { ctx } = await sender();
  await claim();
  const slow = connect(database.url, { max: 1 });
  const [early, late] = [newUnownedId(), newUnownedId()];
  const enqueue = (id: string) => sql`
    with written as (
      insert into emails (id, project_id, message_id, recipient, source, status)
      values (${id}, ${ctx.projectId}, ${newUnownedId()}, 'p@example.org', 'TRANSACTIONAL', 'PENDING')
      returning id, project_id
    ) insert into email_queue (email_id, project_id, due_at)
      select id, project_id, app_now() from written`;
  try {
    await slow.transaction(async (tx) => {
      await tx.execute(enqueue(early));
      for (let round = 0; round < 3; round++) {
        await database.db.execute(enqueue(newUnownedId()));
        const claimed = await claim();
        expect(idsOf(claimed)).toHaveLength(1);
        await recordResults(
          database.db,
          claimed.emails.map((email) => resultOf(email, accepted)),
        );
      }
      await database.db.execute(enqueue(late));
      expect(idsOf(await claim())).toEqual([late]);
    });
    expect(idsOf(await claim())).toEqual([early]);
  } finally {
    await slow.$client.end({ timeout: 5 });
  }
});

it("finds again what was given back, put off, or left by a worker that died", async () => {
  const { ctx, domain } = await sender();
  const [id = ""] = await send(ctx, { from: `shop@${domain}` });
  const other = async () => {
    await send(ctx, { from: `shop@${domain}` });
    const claimed = await claim();
    await recordResults(
      database.db,
      claimed.emails.map((email) => resultOf(email, accepted)),
    );
    return idsOf(claimed);
  };
  const first = await claim();
  expect(idsOf(first)).toEqual([id]);
  expect(await other()).not.toContain(id);
  await renewLeases(database.db, first.emails, 60);
  expect(await other()).not.toContain(id);
  await releaseEmails(database.db, first.emails);
  const second = await claim();
  expect(idsOf(second)).toEqual([id]);
  await postponeEmails(
    database.db,
    second.emails.map((email) => ({ email, seconds: 30 })),
  );
  expect(await other()).not.toContain(id);
  await database.travel("31 seconds");
  await wakeSleepers(database.db);
  expect(idsOf(await claim())).toEqual([id]);
  expect(await other()).not.toContain(id);
  await database.travel("61 seconds");
  expect(idsOf(await claim())).toEqual([id]);
});

it("begins anew with a database whose transactions are counted from less", async () => {
  const { ctx, domain } = await sender();
  await claim();
  // As a restored one: what waits has places that this cluster has not come to.
  const [id = ""] = await send(ctx, { from: `shop@${domain}` });
  await database.db.execute(sql`
    update email_queue set place = '9000000000000'::xid8 where email_id = ${id}`);
  const fresh = connect(database.url, { max: 2 });
  try {
    const lease = { limit: 10, leaseSeconds: 60 };
    const claimed = await claimEmails(fresh, lease);
    expect(idsOf(claimed)).toEqual([id]);
    await releaseEmails(fresh, claimed.emails);
    const [next = ""] = await send(ctx, { from: `shop@${domain}` });
    expect(idsOf(await claimEmails(fresh, lease)).toSorted()).toEqual([id, next].toSorted());
  } finally {
    await fresh.$client.end({ timeout: 5 });
  }
});
