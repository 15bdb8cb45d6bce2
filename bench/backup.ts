import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { copyRunningCluster } from "@/bin/backup/base-backup";
import type { Database } from "@/db/client";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { cleanUp } from "@/lib/engine/jobs/cleanup";
import type { BenchRow } from "./row";
import { projectOf, sendCampaignTo, sendReceipts } from "./sent-mail";
import { startStand } from "./stand";

/** Campaigns to everybody: nine mails of ten. */
const campaigns = 9;
const people = 20_000;
const receipts = 20_000;
const mails = campaigns * people + receipts;

async function secondsOf(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

async function databaseBytes(db: Database): Promise<number> {
  const [row] = await db.execute<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return row?.bytes ?? 0;
}

/**
 * What a backup of a database full of sent mail takes, beside `cp` of the same files, and how fast the clean-up
 * takes old mail away. The mix is nine campaign mails to one receipt.
 */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  const { db } = stand;
  const folder = process.env["DATA_DIR"] ?? "";
  const [data, copied] = [join(folder, "postgres"), join(folder, "copied")];
  try {
    const ctx = await projectOf(db, people);
    const empty = await databaseBytes(db);
    for (let n = 0; n < campaigns; n++) await sendCampaignTo(ctx, people);
    await sendReceipts(ctx, { first: 0, last: receipts });
    await db.execute(sql`vacuum analyze`);
    await db.execute(sql`checkpoint`);
    const bytes = await databaseBytes(db);
    const perSecond = (seconds: number) => bytes / 1e6 / seconds;
    const plain = perSecond(
      await secondsOf(() => {
        // Without the log, as the backup leaves it out.
        execFileSync("cp", ["-r", join(data, "base"), copied]);
        execFileSync("sync", ["-f", copied]);
      }),
    );
    rmSync(copied, { recursive: true });
    const backup = perSecond(await secondsOf(() => copyRunningCluster(db, data, copied)));
    rmSync(copied, { recursive: true });
    await updateProjectSettings(ctx, { retention: { emails: 60 } });
    await db.execute(sql`update emails set created_at = created_at - interval '61 days'`);
    await db.execute(sql`vacuum analyze emails`);
    let gone = 0;
    const seconds = await secondsOf(async () => {
      ({ emails: gone } = await cleanUp(db, AbortSignal.timeout(600_000)));
    });
    if (gone !== mails) throw new Error(`${gone} of ${mails} emails were cleaned up.`);
    const row = { floor: null, ratio: null };
    return [
      {
        ...row,
        what: `a mail on disk, of ${mails}, one in ten with content of its own`,
        unit: "bytes",
        figure: (bytes - empty) / mails,
      },
      {
        what: `backup of ${Math.round(bytes / 1e6)} MB while it runs (floor: cp)`,
        unit: "MB/s",
        figure: backup,
        floor: plain,
        ratio: backup / plain,
      },
      { ...row, what: "old mail cleaned up", unit: "emails/s", figure: gone / seconds },
    ];
  } finally {
    await stand.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
