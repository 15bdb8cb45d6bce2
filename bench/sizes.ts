import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { recordVisits } from "@/lib/domain/tracking/record";
import type { BenchRow } from "./row";
import { projectOf, receipt, sendCampaignTo, sendReceipts } from "./sent-mail";
import { startStand } from "./stand";

const people = 20_000;
const mails = 4_000;
const visitsAtOnce = 100;

const visitor = {
  address: "198.51.100.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0",
};

/** Bytes of all tables with their indexes, and of the log written so far. */
async function sizes(db: Database): Promise<{ data: number; wal: number }> {
  // Pages are reused before any are added: without this the queue's would count as growth.
  await db.execute(sql`vacuum`);
  const [row] = await db.execute<{ data: number; wal: number }>(sql`
    select sum(pg_total_relation_size(c.oid))::float8 as data,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'`);
  if (!row) throw new Error("An aggregate returned no row.");
  return row;
}

/** What each of `count` mails takes. */
async function perMail(db: Database, count: number, work: () => Promise<unknown>) {
  await db.execute(sql`checkpoint`);
  const before = await sizes(db);
  await work();
  const after = await sizes(db);
  return { data: (after.data - before.data) / count, wal: (after.wal - before.wal) / count };
}

/** Everybody opens the campaign. */
async function openAll(db: Database, campaignId: string): Promise<void> {
  const sent = await db.execute<{ id: string }>(
    sql`select id from emails where campaign_id = ${campaignId}`,
  );
  for (let at = 0; at < sent.length; at += visitsAtOnce) {
    await recordVisits(
      db,
      sent.slice(at, at + visitsAtOnce).map(({ id }) => ({ emailId: id, link: null, visitor })),
    );
  }
}

/** What a mail takes up on disk and in the log, from being accepted to being sent, and what its open adds. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  const { db } = stand;
  try {
    const ctx = await projectOf(db, people);
    const transactional = await perMail(db, mails, () =>
      sendReceipts(ctx, { first: 0, last: mails }),
    );
    let campaignId = "";
    const campaign = await perMail(db, people, async () => {
      campaignId = await sendCampaignTo(ctx, people);
    });
    const open = await perMail(db, people, () => openAll(db, campaignId));
    const row = { unit: "bytes", floor: null, ratio: null };
    return [
      { ...row, what: "a campaign mail, on disk", figure: campaign.data },
      { ...row, what: "a campaign mail, in the log", figure: campaign.wal },
      { ...row, what: "its open, on disk", figure: open.data },
      { ...row, what: "its open, in the log", figure: open.wal },
      {
        ...row,
        what: `a transactional mail with ${receipt(0).length} bytes of HTML, on disk`,
        figure: transactional.data,
      },
      { ...row, what: "the same, in the log", figure: transactional.wal },
    ];
  } finally {
    await stand.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
