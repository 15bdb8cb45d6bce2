import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns } from "@/db/schema";
import { createProject } from "@/lib/domain/projects/projects";
import { sendEmail } from "@/lib/domain/emails/send";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { claimEmails } from "@/lib/engine/sending/claim";
import { recordResults } from "@/lib/engine/sending/record";
import { resultOf } from "@/lib/engine/sending/result";
import { systemContext } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { startStand } from "./stand";

const people = 20_000;
const mails = 4_000;
const sendsAtOnce = 20;
/** A receipt of about 3 kB, no two alike: repeated content takes no room. */
function receipt(nth: number): string {
  const line = (n: number) => {
    const words = createHash("sha256").update(`${nth}/${n}`).digest("base64url").match(/.{6}/g);
    return `<p style="margin:0">${words?.slice(0, 3).join(" ") ?? ""}: ${n * 7} of them, ${nth % 97}.95 EUR</p>`;
  };
  return `<h1>Thank you</h1>${Array.from({ length: 45 }, (_, n) => line(n)).join("")}`;
}

const accepted = {
  kind: "accepted" as const,
  reply: { code: 250, enhancedCode: "2.0.0", text: "OK: queued as 4bXyZ12345" },
};

async function sendAll(db: Database): Promise<number> {
  let sent = 0;
  for (;;) {
    const { emails } = await claimEmails(db, { limit: 100, leaseSeconds: 90 });
    if (emails.length === 0) return sent;
    await recordResults(
      db,
      emails.map((email) => resultOf(email, accepted)),
    );
    sent += emails.length;
  }
}

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

/** What a mail takes up on disk and in the log, from being accepted to being sent. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  const { db } = stand;
  try {
    const user = await findOrCreateUser(db, { email: "bench@example.com" });
    const { id: projectId } = await createProject(db, { name: "Bench", ownerUserId: user.id });
    const ctx = systemContext(db, projectId);
    await db.execute(sql`
      insert into contacts (id, project_id, email, consent)
      select new_id(), ${projectId}, 'p' || n || '@example.org', 'subscribed'
      from generate_series(1, ${people}::int) n`);
    const transactional = await perMail(db, mails, async () => {
      for (let n = 0; n < mails; n += sendsAtOnce) {
        await Promise.all(
          Array.from({ length: sendsAtOnce }, (_, index) =>
            sendEmail(ctx, {
              from: "shop@sandbox.test",
              to: `p${n + index}@example.org`,
              subject: `Your order ${n + index}`,
              body: receipt(n + index),
            }),
          ),
        );
        await sendAll(db);
      }
    });
    const campaign = await perMail(db, people, async () => {
      await db.insert(campaigns).values({
        id: newId(projectId),
        projectId,
        name: "News",
        subject: "News",
        html: "<p>News</p>",
        fromEmail: "news@sandbox.test",
        status: "SENDING",
      });
      await db.execute(sql`update campaigns set started_at = app_now(), due_at = app_now()`);
      await advanceCampaigns(db, AbortSignal.timeout(600_000));
      const sent = await sendAll(db);
      if (sent !== people) throw new Error(`${sent} of the campaign's mails were sent.`);
    });
    const row = { unit: "bytes", floor: null, ratio: null };
    return [
      { ...row, what: "a campaign mail, on disk", figure: campaign.data },
      { ...row, what: "a campaign mail, in the log", figure: campaign.wal },
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
