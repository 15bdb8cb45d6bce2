import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { applyMigrations } from "./migrator";

const database = useTestDatabase();
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const breakpoint = "--> statement-breakpoint\n";

/** A folder as drizzle-kit writes it; younger than any migration of ours, so that all of it is applied. */
function folderOf(migrations: string[], from: number): string {
  const folder = mkdtempSync(join(tmpdir(), "lettermill-migrations-"));
  undo.push(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "meta"));
  const entries = migrations.map((text, idx) => {
    const tag = `000${idx}_test`;
    writeFileSync(join(folder, `${tag}.sql`), text);
    return { idx, version: "7", when: from + idx, tag, breakpoints: true };
  });
  const journal = { version: "7", dialect: "postgresql", entries };
  writeFileSync(join(folder, "meta", "_journal.json"), JSON.stringify(journal));
  return folder;
}

function open(): postgres.Sql {
  const client = postgres(database.url, { max: 2, onnotice: () => {} });
  undo.push(() => client.end({ timeout: 5 }));
  return client;
}

test("a migration that fails leaves those before it in place, and is applied when it is mended", async () => {
  const client = open();
  const good = `create table first_of_all (id integer);${breakpoint}insert into first_of_all values (1);`;
  const bad = `create table second_of_all (id integer);${breakpoint}select nothing_that_is;`;
  const applied = () =>
    client`select to_regclass('first_of_all') is not null as first,
      to_regclass('second_of_all') is not null as second`.then(([row]) => ({ ...row }));
  const from = 8_000_000_000_000;
  await expect(
    applyMigrations(client, { migrationsFolder: folderOf([good, bad], from) }),
  ).rejects.toMatchObject({ code: "42703" });
  expect(await applied()).toEqual({ first: true, second: false });
  const mended = folderOf([good, "create table second_of_all (id integer);"], from);
  await applyMigrations(client, { migrationsFolder: mended });
  await applyMigrations(client, { migrationsFolder: mended });
  expect(await applied()).toEqual({ first: true, second: true });
});

test("a table in use is waited for without holding up its readers, and not for ever", async () => {
  const client = open();
  const [reader, other] = [open(), open()];
  const migrationsFolder = folderOf(
    ["alter table contacts add column nickname text;"],
    9_000_000_000_000,
  );
  let applying = Promise.resolve();
  await reader.begin(async (tx) => {
    await tx`select count(*) from contacts`;
    await expect(applyMigrations(client, { migrationsFolder, patience: 0 })).rejects.toMatchObject({
      code: "55P03",
    });
    applying = applyMigrations(client, { migrationsFolder });
    // Whoever comes while it waits is behind it for the lock's time limit at most.
    const started = performance.now();
    await other`select count(*) from contacts`;
    expect(performance.now() - started).toBeLessThan(8_000);
  });
  await applying;
  const [column] = await client`
    select data_type from information_schema.columns
    where table_name = 'contacts' and column_name = 'nickname'`;
  expect(column).toEqual({ data_type: "text" });
}, 60_000);

test("an index is made while others write, and again where it was left unfinished", async () => {
  const client = open();
  const migrationsFolder = folderOf(
    [
      `drop index concurrently if exists contacts_by_name;${breakpoint}create index concurrently if not exists contacts_by_name on contacts (first_name);`,
    ],
    9_100_000_000_000,
  );
  await client`create index contacts_by_name on contacts (first_name)`;
  await client`update pg_index set indisvalid = false where indexrelid = 'contacts_by_name'::regclass`;
  await applyMigrations(client, { migrationsFolder });
  const [index] = await client`
    select indisvalid as valid from pg_index where indexrelid = 'contacts_by_name'::regclass`;
  expect(index).toEqual({ valid: true });
});
