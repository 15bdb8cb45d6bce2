import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { send, storedEmail } from "@/lib/testing/delivery";
import { makeProject } from "@/lib/testing";
import { jobNames, runJob, runWhenDue } from "./jobs";

const database = useTestDatabase();
const context = () => ({ db: database.db, signal: AbortSignal.timeout(30_000) });

async function count(table: string): Promise<number> {
  const [row] = await database.db.execute<{ n: number }>(
    sql.raw(`select count(*)::int as n from ${table}`),
  );
  return row?.n ?? -1;
}

test("a tick runs every job: mail that waits is handed over", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, { from: "shop@sandbox.test" });
  const result = await runJob("tick", context());
  expect(Object.keys(result).toSorted()).toEqual(
    jobNames.filter((name) => name !== "tick").toSorted(),
  );
  expect(result["dispatch"]).toEqual({ recorded: 1, refused: 0 });
  expect((await storedEmail(database.db, id)).status).toBe("DELIVERED");
});

test("a bounded run that is out of time gives back what it did not start", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, { from: "shop@sandbox.test" });
  const result = await runJob("dispatch", { db: database.db, signal: AbortSignal.abort() });
  expect(result["dispatch"]).toEqual({ recorded: 0, refused: 0 });
  expect(await storedEmail(database.db, id)).toMatchObject({ status: "PENDING", claimed: false });
  await runJob("dispatch", context());
});

test("of many processes one runs a periodic job, once a period", async () => {
  await database.travel("2 hours");
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => runWhenDue("cleanup", context())));
  expect(runs.filter((run) => run !== null)).toHaveLength(1);
  expect(await runWhenDue("cleanup", context())).toBeNull();
  await database.travel("61 minutes");
  expect(await runWhenDue("cleanup", context())).not.toBeNull();
});

test("cleaning up takes what has had its time and leaves what is in use", async () => {
  const { ctx } = await makeProject(database.db);
  const attachments = [{ filename: "a.txt", content: Buffer.from("same").toString("base64") }];
  const [done = ""] = await send(ctx, { from: "shop@sandbox.test", attachments });
  await runJob("dispatch", context());
  const later = new Date(Date.now() + 29 * 86_400_000).toISOString();
  await send(ctx, {
    from: "shop@sandbox.test",
    attachments: [{ filename: "b.txt", content: Buffer.from("other").toString("base64") }],
    scheduledAt: later,
  });
  await database.db.execute(sql`
    update email_queue set due_at = app_now() + interval '60 days'`);
  await database.db.execute(sql`
    insert into idempotency_keys (project_id, route, key, body_hash, response)
    values (${ctx.projectId}, 'send', 'k', '\\x00', '{}')`);
  await runJob("cleanup", context());
  expect(await count("idempotency_keys")).toBe(1);
  expect(await count("attachment_blobs")).toBe(2);
  expect(await count(`captured_emails where email_id = '${done}'`)).toBe(1);
  await database.travel("41 days");
  const result = await runJob("cleanup", context());
  expect(result["cleanup"]).toMatchObject({ idempotencyKeys: 1, attachments: 1, blobs: 1 });
  expect(await count("captured_emails")).toBe(0);
  expect(await count("message_attachments")).toBe(1);
  expect(await count("attachment_blobs")).toBe(1);
  expect((await storedEmail(database.db, done)).status).toBe("DELIVERED");
});

test("events of months to come find their partitions", async () => {
  await database.travel("3 months");
  await runJob("cleanup", context());
  await database.db.execute(sql`
    insert into email_events (project_id, email_id, name)
    values (gen_random_uuid(), gen_random_uuid(), 'sent')`);
  expect(await count("email_events_default")).toBe(0);
});

test("a reader of events, as a backup is, keeps neither the clean-up nor those who write events", async () => {
  const { ctx } = await makeProject(database.db);
  const reader = connect(database.url, { max: 1 });
  const partitions = () => count("pg_inherits where inhparent = 'email_events'::regclass");
  await database.travel("3 months");
  const before = await partitions();
  await reader.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from email_events`);
    const cleaning = runJob("cleanup", context());
    await send(ctx, { from: "shop@sandbox.test" });
    await runJob("dispatch", context());
    await cleaning;
    expect(await partitions()).toBe(before);
  });
  await reader.$client.end();
  await runJob("cleanup", context());
  expect(await partitions()).toBeGreaterThan(before);
});
