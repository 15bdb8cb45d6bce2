import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase, connect, database, type Database } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/domain/emails/send";
import { sendInput } from "@/lib/domain/emails/send-schema";
import { findHold } from "@/lib/domain/sending-state/hold";
import { runJob } from "@/lib/engine/jobs/jobs";
import { reloadEnv } from "@/lib/ground/env/env";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { startPostgres } from "@/bin/start/postgres";
import { ensureSecrets } from "@/bin/start/secrets";
import { backUp } from "./backup";
import { restore } from "./restore";

const own = useTestDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lettermill-backup-"));
  // The server's account has to reach what lies below, as in a DATA_DIR.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function useDatabase(url: string): Promise<void> {
  await closeDatabase();
  process.env["DATABASE_URL"] = url;
  reloadEnv();
}

const queued = async (db: Database) => {
  const [row] = await db.execute<{ mails: number }>(
    sql`select count(*)::int as mails from email_queue`,
  );
  return row?.mails ?? 0;
};
async function sendMany(db: Database, count: number): Promise<void> {
  const { ctx } = await makeProject(db);
  const to = Array.from({ length: count }, (_, index) => `reader${index}@example.org`);
  const input = { from: "shop@sandbox.test", to, subject: "Hello", body: "<p>Hello</p>" };
  await sendEmail(ctx, validate(sendInput, input));
}

/** What a worker does with a restored installation: nothing, until it is told to go on. */
async function expectHeld(db: Database, mails: number): Promise<void> {
  expect(await findHold(db)).toMatchObject({ reason: "restored", released: [] });
  await runJob("dispatch", { db, signal: AbortSignal.timeout(3_000) });
  expect(await queued(db)).toBe(mails);
}

describe("the embedded server", () => {
  test("is copied while it is written to; the copy has all that was committed before, and holds its mail", async () => {
    const [before, after] = [join(folder, "before"), join(folder, "after")];
    for (const dataDir of [before, after]) await mkdir(dataDir, { mode: 0o711 });
    const { postgresPassword } = ensureSecrets(before);
    const postgres = await startPostgres(before, postgresPassword);
    await migrateDatabase(postgres.url);
    await useDatabase(postgres.url);
    const db = database();
    await sendMany(db, 50);
    await mkdir(join(before, "files"));
    await writeFile(join(before, "files", "logo.png"), "a picture");
    await writeFile(join(before, "witness.json"), "{}");
    await db.execute(sql`create table written (number int primary key, filler text)`);
    // Committed one after another while the folder is copied: what the copy has must have no gap.
    let writing = true;
    let written = 0;
    const writer = (async () => {
      for (; writing; written++) {
        await db.execute(sql`insert into written values (${written}, repeat('x', 5000))`);
      }
    })();
    const backup = join(folder, "copy");
    const committed = written;
    const manifest = await backUp(db, backup, { dataDir: before, embedded: true });
    writing = false;
    await writer;
    expect(manifest.kind).toBe("copy");
    await expect(backUp(db, backup, { dataDir: before, embedded: true })).rejects.toThrow(
      "is not empty",
    );
    const slots = await db.execute(sql`select from pg_replication_slots`);
    expect(slots).toHaveLength(0);
    await closeDatabase();
    await postgres.stop();

    await restore(backup, { dataDir: after, url: undefined });
    await expect(restore(backup, { dataDir: after, url: undefined })).rejects.toThrow(
      "is there already",
    );
    expect(await readFile(join(after, "files", "logo.png"), "utf8")).toBe("a picture");
    expect(existsSync(join(after, "witness.json"))).toBe(false);
    expect(ensureSecrets(after)).toEqual(ensureSecrets(before));
    const restored = await startPostgres(after, postgresPassword);
    try {
      await useDatabase(restored.url);
      const [row] = await database().execute<{ count: number; last: number }>(sql`
        select count(*)::int as count, coalesce(max(number), -1) as last from written`);
      expect(row?.count).toBe((row?.last ?? 0) + 1);
      expect(row?.count).toBeGreaterThanOrEqual(committed);
      expect(row?.count).toBeGreaterThan(0);
      await expectHeld(database(), 50);
    } finally {
      await closeDatabase();
      await restored.stop();
    }
  }, 120_000);

  test("a folder that no backup was finished in is refused", async () => {
    const unfinished = join(folder, "unfinished");
    await mkdir(join(unfinished, "postgres"), { recursive: true });
    await expect(
      restore(unfinished, { dataDir: join(folder, "other"), url: undefined }),
    ).rejects.toThrow("holds no complete backup");
  });
});

/** A release whose server and clients are installed on this machine, as distributions do it. */
function installedRelease(): string | null {
  for (const major of [18, 17, 16, 15]) {
    const bin = `/usr/lib/postgresql/${major}/bin`;
    if (
      ["initdb", "postgres", "pg_dump", "pg_restore"].every((tool) => existsSync(join(bin, tool)))
    )
      return bin;
  }
  return null;
}

describe("a server of DATABASE_URL", () => {
  test("is refused where only older tools are installed, with what to install", async () => {
    await useDatabase(own.url);
    const path = process.env["PATH"];
    process.env["PATH"] = folder;
    const attempt = backUp(database(), join(folder, "refused"), {
      dataDir: folder,
      embedded: false,
    }).finally(() => (process.env["PATH"] = path));
    await (existsSync("/usr/lib/postgresql/18/bin/pg_dump")
      ? attempt
      : expect(attempt).rejects.toThrow("install postgresql-client-18"));
  });

  const bin = installedRelease();
  test.skipIf(bin === null)(
    "is dumped and loaded into an empty database, which holds its mail",
    async () => {
      const data = join(folder, "debian");
      const port = 4_580;
      const asServer = (command: string) =>
        execFileSync("/bin/sh", [
          "-c",
          process.getuid?.() === 0 ? `su postgres -c "${command}"` : command,
        ]);
      await mkdir(data, { mode: 0o777 });
      await chmod(data, 0o777);
      asServer(`${bin}/initdb -D ${data}/pg -U lettermill --auth=trust`);
      asServer(
        `${bin}/pg_ctl -D ${data}/pg -w -l ${data}/log -o '-p ${port} -k ${data} -c listen_addresses=127.0.0.1' start`,
      );
      try {
        const at = (name: string) => `postgres://lettermill:x@127.0.0.1:${port}/${name}`;
        const admin = connect(at("postgres"), { max: 1 });
        for (const name of ["old", "new"]) await admin.execute(sql.raw(`create database ${name}`));
        await admin.$client.end();
        await migrateDatabase(at("old"));
        await useDatabase(at("old"));
        await sendMany(database(), 20);
        const backup = join(folder, "dump");
        const manifest = await backUp(database(), backup, { dataDir: data, embedded: false });
        expect(manifest.kind).toBe("dump");
        await expect(restore(backup, { dataDir: data, url: at("old") })).rejects.toThrow(
          "is not empty",
        );
        await closeDatabase();
        await restore(backup, { dataDir: data, url: at("new") });
        await useDatabase(at("new"));
        await expectHeld(database(), 20);
      } finally {
        await closeDatabase();
        asServer(`${bin}/pg_ctl -D ${data}/pg -m immediate stop`);
      }
    },
    120_000,
  );
});
