import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrateDatabase, pendingMigrations } from "./migrate";

/*
 * A database as the version before email_queue leaves it, with mail in every state, is brought to now while
 * a program of that version still runs.
 */

const name = `upgraded_${process.pid}`;
const folder = join(import.meta.dirname, "migrations");
const before = readdirSync(folder)
  .filter((file) => /^00\d\d_.*\.sql$/.test(file) && file < "0031")
  .toSorted();
let url = "";
let client: postgres.Sql;

const administer = async (statement: string) => {
  const admin = postgres(inject("postgresUrl"), { max: 1, onnotice: () => {} });
  try {
    await admin.unsafe(statement);
  } finally {
    await admin.end({ timeout: 5 });
  }
};

/** Waiting mail of the kind, 6,000 of it: more than a batch. */
const enqueue = (columns: string, values: string, count = 6_000) => `
  insert into emails (id, project_id, message_id, recipient, source, status, ${columns})
  select new_id(), new_id(), new_id(), 'p@example.org', 'TRANSACTIONAL', 'PENDING', ${values}
  from generate_series(1, ${count})`;

beforeAll(async () => {
  const own = new URL(inject("postgresUrl"));
  own.pathname = `/${name}`;
  url = own.href;
  await administer(`create database ${name}`);
  client = postgres(url, { max: 2, onnotice: () => {} });
  const journal = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  await client.unsafe(`create schema drizzle; create table drizzle.__drizzle_migrations
    (id serial primary key, hash text not null, created_at bigint)`);
  for (const file of before) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) await client.unsafe(statement);
    const when = journal.entries.find(({ tag }) => `${tag}.sql` === file)?.when ?? 0;
    await client`insert into drizzle.__drizzle_migrations (hash, created_at) values (${file}, ${when})`;
  }
}, 120_000);

afterAll(async () => {
  await client.end({ timeout: 5 });
  await administer(`drop database if exists ${name} with (force)`);
});

test("an installation that holds queued mail is brought to now, and its old programs may go on", async () => {
  await client.unsafe(enqueue("due_at", "now()"));
  await client.unsafe(enqueue("due_at, campaign_id", "now(), new_id()"));
  await client.unsafe(enqueue("due_at, asleep, attempts", "now() + interval '1 day', true, 2", 50));
  await client.unsafe(
    enqueue("due_at, asleep, campaign_id", "'infinity'::timestamptz, true, new_id()", 40),
  );
  await client.unsafe(enqueue("warmup_rank, campaign_id", "7, new_id()", 30));
  await client.unsafe(
    enqueue("due_at, lease_id, attempts", "now() + interval '1 minute', new_id(), 1", 2),
  );
  await client.unsafe(enqueue("sent_at", "now()", 100));
  const pages = async () =>
    (await client`select pg_relation_filenode('emails') as file`)[0]?.["file"] as number;
  const file = await pages();
  expect(await pendingMigrations(client)).toContain("0031_email_queue");

  await migrateDatabase(url);

  expect(await pages()).toBe(file);
  const [queue] = await client`
    select count(*)::int as waiting,
      count(*) filter (where campaign_id is null and not asleep and lease_id is null)::int as awake,
      count(*) filter (where campaign_id is not null and not asleep and warmup_rank is null)::int as campaigns,
      count(*) filter (where asleep and attempts = 2 and due_at > now())::int as later,
      count(*) filter (where asleep and due_at = 'infinity')::int as held,
      count(*) filter (where warmup_rank = 7 and due_at is null)::int as warming,
      count(*) filter (where lease_id is not null and lease_until > now())::int as leased
    from email_queue`;
  expect(queue).toEqual({
    waiting: 12_122,
    awake: 6_000,
    campaigns: 6_000,
    later: 50,
    held: 40,
    warming: 30,
    leased: 2,
  });
  const [old] = await client`
    select count(*)::int as left from emails where due_at is not null or warmup_rank is not null`;
  expect(old).toEqual({ left: 0 });

  // A web program of before accepts, a worker of before renews a lease, records one result and puts one off.
  await client.unsafe(enqueue("due_at", "now()", 1));
  const [first, second] = await client<{ id: string }[]>`
    select id from emails where lease_id is not null order by id`;
  const renewed = await client`
    update emails set due_at = now() + interval '90 seconds' where lease_id is not null returning id`;
  expect(renewed).toHaveLength(2);
  await client`
    update emails set status = 'SENT', due_at = null, lease_id = null where id = ${first?.id ?? ""}`;
  await client`
    update emails set due_at = now() + interval '1 hour', asleep = true, lease_id = null
    where id = ${second?.id ?? ""}`;
  const [after] = await client`
    select count(*)::int as waiting, count(*) filter (where lease_id is not null)::int as leased,
      count(*) filter (where asleep and due_at < now() + interval '2 hours')::int as put_off
    from email_queue`;
  expect(after).toEqual({ waiting: 12_122, leased: 0, put_off: 1 });

  // Once more: nothing is left to be moved, and nothing moves.
  await migrateDatabase(url);
  const [again] = await client`select count(*)::int as waiting from email_queue`;
  expect(again).toEqual({ waiting: 12_122 });
}, 120_000);
