import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { freePort } from "@/db/embedded/free-port";
import { confirmAppSecret } from "@/lib/ground/installation";
import { addFigureDeltas } from "@/lib/testing/figures";
import { returnPathOf } from "@/lib/mail/return-path";
import { until } from "@/lib/testing/until";
import { bring, fullMailbox, notification, sessions, type Verdict } from "./bring";
import { isComplete, settled, startCampaign } from "./campaign";
import type { BenchRow } from "./row";
import { startStand, untilReady } from "./stand";

const people = 20_000;
const notifications = 5_000;
/** Every tenth comes again at once, over another session. */
const repeatedEvery = 10;
const aloneSeconds = 8;
const patience = { seconds: 120, everyMilliseconds: 50 };

/** Fewer bounces than stop a campaign. */
function verdictOf(nth: number): Verdict {
  const place = nth % 40;
  if (place === 0) return { action: "failed", status: "5.1.1", reply: "550 5.1.1 User unknown" };
  if (place === 1) return fullMailbox;
  return place < 30
    ? { action: "delivered", status: "2.0.0", reply: "250 2.0.0 OK" }
    : { action: "delayed", status: "4.2.2", reply: "452 4.2.2 Mailbox full" };
}
const share = (of40: number) => (notifications / 40) * of40;

/** Emails of the campaign that a mail server took, as if a worker had sent them. */
async function sendSome(db: Database, campaignId: string) {
  const rows = await db.execute<{ id: string; project_id: string; recipient: string }>(sql`
    with gone as (
      delete from email_queue where email_id in (
        select email_id from email_queue
        where campaign_id = ${campaignId} and not asleep and warmup_rank is null and lease_id is null
        order by place desc, email_id desc limit ${notifications} for update skip locked)
      returning email_id
    ) update emails set status = 'SENT', attempts = 1, sent_at = app_now()
      from gone where id = gone.email_id returning id, project_id, recipient`);
  if (rows.length !== notifications) throw new Error(`${rows.length} emails could be sent.`);
  const projectId = rows[0]?.project_id ?? "";
  const figures = { settled: notifications, sent: notifications };
  await addFigureDeltas(db, [{ projectId, campaignId, ...figures }]);
  return rows;
}

/** What is there must be what was answered with 250, each once. */
async function judge(db: Database, campaign: string, ids: readonly string[]): Promise<void> {
  const [row] = await db.execute<Record<string, number>>(sql`
    with reported as (select unnest(${sql.param(ids)}::uuid[]) as id),
      event as (select email_id, name from email_events
        where email_id in (select id from reported) and data ->> 'via' = 'mail')
    select (select count(*)::int from event where name = 'bounced') as bounces,
      (select count(*)::int from event where name = 'delivered') as deliveries,
      (select count(*)::int from event where name = 'deferred') as delays,
      (select count(distinct email_id)::int from event) as emails,
      (select count(*)::int from suppressions) as suppressed,
      (select sum(bounced)::int from hourly_figures where campaign_id = ${campaign}) as bounced,
      (select sum(delivered)::int from hourly_figures where campaign_id = ${campaign}) as delivered,
      (select sum(inferred)::int from hourly_figures where campaign_id = ${campaign}) as inferred,
      (select count(*)::int from emails where campaign_id = ${campaign} and status = 'BOUNCED') as as_bounced,
      (select count(*)::int from emails where campaign_id = ${campaign} and status = 'DELIVERED') as as_delivered`);
  const expected = {
    ...{ bounces: share(2), deliveries: share(28), delays: share(10), emails: notifications },
    ...{ suppressed: share(1), bounced: share(2), delivered: share(28), inferred: 0 },
    ...{ as_bounced: share(2), as_delivered: share(28) },
  };
  if (JSON.stringify(row) !== JSON.stringify(expected)) {
    throw new Error(`There is ${JSON.stringify(row)} instead of ${JSON.stringify(expected)}.`);
  }
}

/** Notifications about a campaign's mail come in while it is running: whether it keeps its pace, and none is lost. */
export async function run(): Promise<BenchRow[]> {
  // As in chaos: the mail server sets the pace, and not this machine.
  const env = { ...process.env, ANSWER_AFTER: "40" };
  const sink = fork(fileURLToPath(new URL("mail-sink.ts", import.meta.url)), { env });
  const [sinkPort] = (await once(sink, "message")) as [number];
  const stand = await startStand({ MAIL_TRANSPORT: `smtp://127.0.0.1:${sinkPort}?connections=5` });
  try {
    const { db } = stand;
    await confirmAppSecret(db);
    const campaign = await startCampaign(db, people);
    const port = await freePort();
    await untilReady(stand.run("bin/smtp.ts", [], { SMTP_INBOUND_PORT: String(port) }));
    stand.run("bin/worker.ts");
    await until(() => isComplete(db, campaign), patience);
    const emails = await sendSome(db, campaign);
    const domain = `p${people}.example.com`;
    const mails = emails.flatMap(({ id, recipient }, nth) => {
      const mail = {
        raw: notification({ id, recipient, domain }, verdictOf(nth)),
        to: returnPathOf(id, domain),
        from: "",
      };
      return nth % repeatedEvery === 0 ? [mail, mail] : [mail];
    });
    const begin = await settled(db, campaign);
    await until(async () => (await settled(db, campaign)) > begin + 500, patience);

    const paceWhile = async <Result>(work: () => Promise<Result>) => {
      const [before, started] = [await settled(db, campaign), performance.now()];
      const result = await work();
      const seconds = (performance.now() - started) / 1000;
      return { result, pace: ((await settled(db, campaign)) - before) / seconds };
    };
    const { pace: alone } = await paceWhile(() => sleep(aloneSeconds * 1000));
    const { pace: beside, result: rate } = await paceWhile(() => bring(port, mails));
    if (!(await isRunning(db, campaign))) throw new Error("The campaign did not go on.");
    await judge(
      db,
      campaign,
      emails.map(({ id }) => id),
    );
    return [
      {
        what: `a campaign's pace beside ${notifications} notifications about it (floor: alone)`,
        unit: "emails/s",
        figure: beside,
        floor: alone,
        ratio: beside / alone,
        goal: { leastRatio: 0.8 },
      },
      {
        what: `the notifications meanwhile, ${sessions} sessions, every tenth twice`,
        unit: "messages/s",
        figure: rate,
        floor: null,
        ratio: null,
      },
    ];
  } finally {
    await stand.stop();
    sink.disconnect();
  }
}

async function isRunning(db: Database, campaign: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 as one from campaigns where id = ${campaign} and status = 'SENDING' and exists (
      select from email_queue where campaign_id = ${campaign} and not asleep)`);
  return rows.length > 0;
}
