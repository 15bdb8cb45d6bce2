import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { connect, type Database } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import { sendEmail } from "@/lib/domain/emails/send";
import { startImport } from "@/lib/domain/imports/imports";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { decodeId } from "@/lib/ground/ids/ids";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { makeList } from "@/lib/testing/opt-outs";
import { takeOverImports } from "./imports/apply-rows";
import { claimEmails } from "./sending/claim";

/*
 * Statistics of the tables were gathered while there were ten large projects; the eleventh came since and
 * has 20,000 of each. The planner takes it for empty. What a statement reads must not depend on that.
 */
const database = useTestDatabase();
const many = 20_000;
const tables = ["contacts", "suppressions", "forgotten_addresses", "subscribers"];
let young: Context;
let db: Database;

/** Contacts `old0@example.org`..., as many suppressions of other addresses and forgotten ones, a list. */
async function fill(projectId: string, count: number, listId: string): Promise<void> {
  await db.execute(sql`
    insert into contacts (id, project_id, email, consent)
    select new_id(), ${projectId}, 'old' || n || '@example.org', 'subscribed'
    from generate_series(1, ${count}) n`);
  await db.execute(sql`
    insert into suppressions (id, project_id, email, reason)
    select new_id(), ${projectId}, 'gone' || n || '@example.org', 'manual'
    from generate_series(1, ${count}) n`);
  await db.execute(sql`
    insert into forgotten_addresses (project_id, hash, suppressed)
    select ${projectId}, md5(n::text), 'manual' from generate_series(1, ${count}) n`);
  await db.execute(sql`
    insert into subscribers (id, project_id, list_id, contact_id, status, source)
    select new_id(), project_id, ${listId}, id, 'subscribed', 'api'
    from contacts where project_id = ${projectId}`);
}

beforeAll(async () => {
  db = connect(database.url, { max: 1 });
  for (const table of tables) {
    await db.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = false)`);
  }
  const listOf = async (ctx: Context) => decodeId("list", (await makeList(ctx)).id) ?? "";
  for (let n = 0; n < 10; n++) {
    const { ctx } = await makeProject(db);
    await fill(ctx.projectId, 4_000, await listOf(ctx));
  }
  await db.execute(sql`vacuum analyze`);
  young = { ...(await makeProject(db)).ctx, db };
  await fill(young.projectId, many, await listOf(young));
  return () => db.$client.end({ timeout: 5 });
}, 120_000);

/** How many rows of the tables, by index or without, were read while `work` ran. */
async function readBy(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await db.execute(sql`select pg_stat_force_next_flush()`);
    const [row] = await db.execute<{ read: number }>(sql`
      select (select sum(idx_tup_read) from pg_stat_user_indexes
          where relname = any(${sql.param(tables)}::text[]))::int
        + (select sum(seq_tup_read) from pg_stat_user_tables
          where relname = any(${sql.param(tables)}::text[]))::int as read`);
    return row?.read ?? 0;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

/** Prepared statements are planned for any values from the sixth time on. */
const repeatedly = (work: (n: number) => Promise<unknown>) => async () => {
  for (let n = 1; n <= 8; n++) await work(n);
};

test("one contact: made, and changed", async () => {
  const create = repeatedly((n) => upsertContact(young, { email: `new${n}@example.org` }));
  const changed = repeatedly((n) => upsertContact(young, { email: `old${n}@example.org` }));
  expect(await readBy(create)).toBeLessThan(200);
  expect(await readBy(changed)).toBeLessThan(200);
});

test("a thousand contacts at once", async () => {
  const contacts = Array.from({ length: 500 }, (_, n) => [
    { email: `bulk${n}@example.org` },
    { email: `old${n}@example.org` },
  ]).flat();
  expect(await readBy(() => upsertContacts(young, contacts))).toBeLessThan(20_000);
});

test("mail to people who are there, and to new ones", async () => {
  const from = "hello@sandbox.test";
  const to = (n: number) => [`old${n}@example.org`, `mail${n}@example.org`, `gone${n}@example.org`];
  const sent = repeatedly((n) => sendEmail(young, { from, to: to(n), subject: "Hi", body: "Hi" }));
  expect(await readBy(sent)).toBeLessThan(1_000);
  expect(await readBy(() => claimEmails(db, { limit: 100, leaseSeconds: 60 }))).toBeLessThan(500);
});

test("a member of a list", async () => {
  const { id } = await makeList(young, { name: "Another" });
  const joined = repeatedly((n) =>
    addSubscriber(young, id, { email: `old${n}@example.org`, source: "api" }),
  );
  expect(await readBy(joined)).toBeLessThan(400);
});

test("an import of as many as there are", { timeout: 60_000 }, async () => {
  const lines = Array.from({ length: many }, (_, n) => `import${n}@example.org`);
  const file = Readable.from([Buffer.from(["email", ...lines].join("\n"))]);
  await startImport(young, { file, filename: "people.csv" });
  const took = readBy(() => takeOverImports(db, { signal: AbortSignal.timeout(60_000) }));
  // Each looked up once in contacts, and once in what was forgotten.
  expect(await took).toBeLessThan(10 * many);
});
