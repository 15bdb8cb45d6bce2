import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { createTransport } from "nodemailer";
import { connect, type Database } from "@/db/client";
import { startCluster } from "@/db/embedded/cluster";
import { migrateDatabase } from "@/db/migrate";
import { campaigns, domains } from "@/db/schema";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { textFromHtml } from "@/lib/mail/content/plain-text";
import { parseSmtpUrl } from "@/lib/mail/smtp-server-url";
import { SmtpTransport } from "@/lib/engine/transports/smtp-client/smtp-transport";
import { createDkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import { reloadEnv } from "@/lib/ground/env/env";
import { newId, newUnownedId } from "@/lib/ground/ids/ids";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { BenchRow } from "./row";

const emails = 10_000;
const floorEmails = 4_000;
const connections = 10;

/** An ordinary newsletter of 10 kB, with two placeholders. */
function newsletter(): string {
  const paragraph =
    '<p style="margin:0 0 16px;font:14px/20px Arial,sans-serif;color:#333">Dear reader, a paragraph as newsletters have them, naïve and not too short, with <a href="https://example.com/products/12345?ref=mail">a link</a> in it.</p>\n';
  const head = "<!doctype html><html><body><h1>Hello {{ firstName }}</h1>\n";
  const foot = "<p>Sent to {{ email }}</p></body></html>\n";
  const count = Math.ceil((10_000 - head.length - foot.length) / paragraph.length);
  return head + paragraph.repeat(count) + foot;
}

/** A campaign to `count` recipients, recorded and ready to go out. */
async function enqueue(db: Database, projectId: string, count: number): Promise<void> {
  const name = `d${newUnownedId()}.example.com`;
  await db.insert(domains).values({
    id: newId(projectId),
    projectId,
    name,
    status: "VERIFIED",
    ...(await createDkimKey()),
  });
  // Each campaign has people of its own.
  await db.execute(sql`delete from contacts where project_id = ${projectId}`);
  await db.execute(sql`
    insert into contacts (id, project_id, email, first_name, consent)
    select new_id(), ${projectId}, 'reader-' || n || '@example.org', 'Reader', 'subscribed'
    from generate_series(1, ${count}) n`);
  // How each came to be subscribed, as the footer says: first unconfirmed, then four changes to subscribed.
  await db.execute(sql`
    insert into consent_changes (id, project_id, contact_id, before, after, origin)
    select new_id(), project_id, id, case change when 1 then null else 'subscribed' end,
      case change when 1 then 'unconfirmed' else 'subscribed' end, 'confirmation'
    from contacts, generate_series(1, 5) change where project_id = ${projectId}
    order by contacts.id, change`);
  await db.insert(campaigns).values({
    id: newId(projectId),
    projectId,
    name: "News",
    subject: "News for {{ firstName }}",
    fromEmail: `news@${name}`,
    fromName: "Newsletter",
    html: newsletter(),
    status: "SENDING",
  });
  await db.execute(sql`
    update campaigns set started_at = app_now(), due_at = app_now() where started_at is null`);
  const { recipients } = await advanceCampaigns(db, AbortSignal.timeout(120_000));
  if (recipients !== count) throw new Error(`${recipients} of ${count} were written down.`);
  await db.execute(sql`analyze`);
}

/** Emails a second through the whole of dispatch: claim, render, build, sign, hand over, record. */
async function measureDispatch(db: Database, projectId: string, port: number): Promise<number> {
  const run = async (count: number) => {
    await enqueue(db, projectId, count);
    const transport = new SmtpTransport(
      parseSmtpUrl(`smtp://127.0.0.1:${port}?connections=${connections}`, "localhost"),
    );
    const started = performance.now();
    const summary = await new Dispatcher({ db, transport }).run(AbortSignal.timeout(120_000), {
      untilEmpty: true,
    });
    if (summary.recorded !== count) throw new Error(`${summary.recorded} of ${count} left.`);
    return count / ((performance.now() - started) / 1000);
  };
  await run(1_000);
  return run(emails);
}

/** The same content, unsigned, sent to the same server by nodemailer's own pool in one process. */
async function measureFloor(port: number): Promise<number> {
  const transport = createTransport({
    pool: true,
    host: "127.0.0.1",
    port,
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const html = newsletter();
  const text = textFromHtml(html);
  const run = async (count: number) => {
    let left = count;
    const started = performance.now();
    const sendSome = async () => {
      while (left-- > 0) {
        await transport.sendMail({
          from: { name: "Newsletter", address: "news@example.com" },
          to: `reader-${left}@example.org`,
          subject: "News for Reader",
          html,
          text,
        });
      }
    };
    await Promise.all(Array.from({ length: connections * 2 }, sendSome));
    return count / ((performance.now() - started) / 1000);
  };
  await run(500);
  const figure = await run(floorEmails);
  transport.close();
  return figure;
}

/**
 * A campaign to a mail server on loopback: 10 kB HTML, DKIM RSA-2048, opens and clicks tracked, Postgres on
 * the same machine.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-bench-"));
  // Passable: started by root, Postgres runs as another account, which has to get to its data.
  await chmod(folder, 0o711);
  const cluster = await startCluster({
    folder: join(folder, "data"),
    password: "lettermill",
    logFile: join(folder, "log"),
  });
  const sink = fork(fileURLToPath(new URL("mail-sink.ts", import.meta.url)));
  const db = connect(cluster.url);
  try {
    process.env["DATABASE_URL"] = cluster.url;
    process.env["APP_SECRET"] ??= "a secret of no worth but to the bench";
    reloadEnv();
    const [port] = (await once(sink, "message")) as [number];
    await migrateDatabase(cluster.url);
    const user = await findOrCreateUser(db, { email: "bench@example.com" });
    const { id: projectId } = await createProject(db, { name: "Bench", ownerUserId: user.id });
    const floor = await measureFloor(port);
    const figure = await measureDispatch(db, projectId, port);
    return [
      {
        what: "campaign to SMTP, DKIM RSA-2048, 10 kB HTML, tracked (floor: unsigned nodemailer)",
        unit: "emails/s",
        figure: Math.round(figure),
        floor: Math.round(floor),
        ratio: figure / floor,
        goal: { least: 1_500, leastRatio: 0.9 },
      },
    ];
  } finally {
    sink.disconnect();
    await db.$client.end({ timeout: 5 });
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
