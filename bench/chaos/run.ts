import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { campaigns, domains } from "@/db/schema";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { systemContext } from "@/lib/ground/context";
import { createDkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { printAnswers } from "./answers";
import type { Span } from "./beside";
import { judge, readSinkLog } from "./judge";
import { Neighbour } from "./neighbour";
import { ChaosStand } from "./stand";

/*
 * A campaign through the real SMTP path while everything dies: `npm run chaos [recipients] [warm-up] [bombs=PART]`.
 * Workers are killed with -9 twenty times, Postgres three times, the mail server is away for a minute, a
 * hundredth of the people leave, and another project throws all it can (of the kinds in bomber.ts whose name
 * begins with PART, or all): it must cost the campaign no more than a fifth of its pace, and urgent mail of
 * the same project no more than a second. The campaign is an A/B test of half the audience: while it waits for its winner, both workers and Postgres
 * are killed once more. Then it is counted whether each person got it once, in one variant, and whether it
 * kept its pace beside the bombs. With `warm-up` its domain is warmed up: half of the people every five
 * minutes, and never more than that.
 */

const recipients = Number(process.argv[2] ?? 100_000);
const isWarmedUp = process.argv.includes("warm-up");
/** The warm-up's cap: its twelfth, which may leave every five minutes, is half of the people. */
const hourlyCap = isWarmedUp ? 6 * recipients : null;
const kills = 20;
const postgresKills = 3;
const sinkDownSeconds = Math.min(60, Math.ceil(recipients / 1_000));
/** Over how many mails the campaign's pace is measured, alone and beside bombs: the first part of its test. */
const paceMails = Math.ceil(Math.min(4_000, recipients / 10));
/** How long that may take. */
const mostPaceSeconds = 120;
/** How long urgent mail is measured beside bombs, before anything is killed. */
const urgentSeconds = 30;
const bombPart = process.argv.find((word) => word.startsWith("bombs="))?.slice("bombs=".length);
const leavers = Math.ceil(recipients / 100);

const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function prepare(
  stand: ChaosStand,
): Promise<{ campaign: string; neighbour: { apiKey: string; domain: string } }> {
  return stand.ask(async (db) => {
    const user = await findOrCreateUser(db, { email: "chaos@example.com", name: "Chaos" });
    const { id: projectId } = await createProject(db, { name: "Chaos", ownerUserId: user.id });
    const [domain] = await db
      .insert(domains)
      .values({
        id: newId(projectId),
        projectId,
        name: "mail.example.com",
        status: "VERIFIED",
        inbound: true,
        ...(await createDkimKey()),
      })
      .returning({ id: domains.id });
    if (!domain) throw new Error("An insert returned no row.");
    await db.execute(sql`
      insert into contacts (id, project_id, email, first_name, consent)
      select new_id(), ${projectId}, 'person' || n || '@example.org', 'Reader ' || n, 'subscribed'
      from generate_series(1, ${recipients}) n`);
    await db.execute(sql`analyze contacts`);
    const [campaign] = await db
      .insert(campaigns)
      .values({
        id: newId(projectId),
        projectId,
        name: "Chaos",
        subject: "News for {{ firstName }}",
        fromEmail: "news@mail.example.com",
        html: `<p>Hello {{ firstName }},</p><p><a href="https://example.com/a">a link</a></p>`,
        abTest: {
          variants: ["News", "Tidings", "Letters"].map((word) => ({
            subject: `${word} for {{ firstName }}`,
          })),
          testPercentage: 50,
          winnerMetric: "opens",
          // Less than users may ask for.
          winnerAfterMinutes: 0.5,
        },
      })
      .returning({ id: campaigns.id });
    if (!campaign) throw new Error("An insert returned no row.");
    const ctx = systemContext(db, projectId);
    if (hourlyCap !== null) {
      const schedule = [10 * hourlyCap, 10 * hourlyCap];
      await setWarmup(ctx, encodeId("domain", domain.id), { enabled: true, schedule });
    }
    const { key } = await createApiKey(ctx, { name: "Urgent", scope: "full", mode: "live" });
    await sendCampaign(ctx, encodeId("campaign", campaign.id), {});
    return { campaign: campaign.id, neighbour: { apiKey: key, domain: "mail.example.com" } };
  });
}

/** Some people leave: one second later they must get nothing more. */
async function leave(stand: ChaosStand, count: number, left: Map<string, number>): Promise<void> {
  const rows = await stand.ask((db) =>
    db.execute<{ email: string }>(sql`
      update contacts set consent = 'unsubscribed' where id in (
        select id from contacts where consent = 'subscribed' order by random() limit ${count})
      returning email`),
  );
  for (const { email } of rows) left.set(email, Date.now());
}

function random<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to choose from.");
  return value;
}

interface Blow {
  /** Share of the mail that has arrived when the blow falls. */
  at: number;
  fall: () => Promise<void>;
}

function planBlows(stand: ChaosStand, left: Map<string, number>): Blow[] {
  const spread = (from: number, to: number) => from + Math.random() * (to - from);
  const killWorker = async () => {
    while (!stand.workers.some(({ running }) => running)) await sleep(50);
    await random(stand.workers.filter(({ running }) => running)).kill();
    say("a worker is killed");
  };
  const killPostgres = async () => {
    say("Postgres is killed");
    await stand.restartPostgres();
    say("Postgres is back");
  };
  const takeSinkDown = async () => {
    say(`the mail server is away for ${sinkDownSeconds} s`);
    await stand.sink.down();
    await sleep(sinkDownSeconds * 1000);
    stand.sink.up();
  };
  const leaves = Math.ceil(leavers / 20);
  return [
    ...Array.from({ length: kills }, () => ({ at: spread(0.01, 0.95), fall: killWorker })),
    ...Array.from({ length: postgresKills }, () => ({ at: spread(0.1, 0.9), fall: killPostgres })),
    { at: 0.5, fall: takeSinkDown },
    ...Array.from({ length: leaves }, () => ({
      at: spread(0, 0.9),
      fall: () => leave(stand, 20, left),
    })),
  ].toSorted((first, second) => first.at - second.at);
}

/** Mails of the campaign that arrive a second, over `paceMails` of them, and when that was. */
async function measurePace(stand: ChaosStand): Promise<{ pace: number; span: Span }> {
  const arrived = async () => (await readSinkLog(stand.log)).length;
  const [from, before] = [Date.now(), await arrived()];
  for (;;) {
    await sleep(50);
    const [to, count] = [Date.now(), (await arrived()) - before];
    const seconds = (to - from) / 1_000;
    if (count >= paceMails || seconds > mostPaceSeconds)
      return { pace: count / seconds, span: { from, to } };
  }
}

/** Kills everything while a campaign waits for the winner of its test. */
async function strikeWaiting(stand: ChaosStand, campaign: string): Promise<boolean> {
  const [row] = await stand.ask((db) =>
    db.execute<{ waits: boolean }>(sql`
      select winner_due_at is not null and winner is null as waits
      from campaigns where id = ${campaign}`),
  );
  if (!row?.waits) return false;
  say("the test waits for its winner: both workers and Postgres are killed");
  for (const worker of stand.workers) if (worker.running) await worker.kill();
  await stand.restartPostgres();
  return true;
}

async function isOver(stand: ChaosStand, campaign: string): Promise<boolean> {
  const [row] = await stand.ask((db) =>
    db.execute<{ over: boolean }>(sql`
      select status <> 'SENDING' and not exists (
        select from email_queue where campaign_id = ${campaign} and due_at is not null) as over
      from campaigns where id = ${campaign}`),
  );
  return row?.over === true;
}

/** Resolves when no mail of the campaign's project waits any more, or after ten minutes. */
async function untilNoneWaits(stand: ChaosStand, campaign: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const [row] = await stand.ask((db) =>
      db.execute<{ waits: boolean }>(sql`
        select exists (
          select from email_queue q
          where q.project_id = c.project_id and q.due_at is not null) as waits
        from campaigns c where id = ${campaign}`),
    );
    if (!row?.waits) return;
    await sleep(1_000);
  }
}

const stand = await ChaosStand.start(2);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stand.stop().finally(() => process.exit(1)));
}
const started = performance.now();
let sound = false;
try {
  const bomber = await stand.prepareBombs(bombPart ?? "");
  const { campaign, neighbour: project } = await prepare(stand);
  say(`${recipients} recipients, in ${stand.folder}`);
  const neighbour = new Neighbour(stand.doors, project);
  neighbour.start();
  while ((await readSinkLog(stand.log)).length === 0) await sleep(50);
  const alone = await measurePace(stand);
  bomber.throw();
  // The first ones have to reach the worker before they count.
  await sleep(2_000);
  const bombed = await measurePace(stand);
  const pace = { alone: alone.pace, bombed: bombed.pace };
  say(`${pace.alone.toFixed(0)} mails a second alone, ${pace.bombed.toFixed(0)} beside the bombs`);
  await sleep(Math.max(0, bombed.span.from + urgentSeconds * 1_000 - Date.now()));
  const spans = { alone: alone.span, bombed: { from: bombed.span.from, to: Date.now() } };
  const left = new Map<string, number>();
  const blows = planBlows(stand, left);
  let struck = false;
  for (let told = 0; ;) {
    struck ||= await strikeWaiting(stand, campaign);
    const arrived = (await readSinkLog(stand.log)).length;
    for (let next = blows[0]; next && next.at * recipients <= arrived; next = blows[0]) {
      blows.shift();
      await next.fall();
    }
    if (performance.now() - told > 15_000) {
      told = performance.now();
      say(`${arrived} arrived`);
    }
    if (blows.length === 0 && (await isOver(stand, campaign))) break;
    if (performance.now() - started > 3_600_000) throw new Error("It does not end within an hour.");
    await sleep(300);
  }
  say(`over after ${Math.round((performance.now() - started) / 1000)} s`);
  const deaths = stand.workers.reduce((sum, { deaths }) => sum + deaths, 0);
  await neighbour.stop();
  const answers = await bomber.stop();
  printAnswers(answers);
  await untilNoneWaits(stand, campaign);
  sound = await judge(stand, campaign, {
    recipients,
    left,
    deaths,
    beside: { pace, spans, urgent: neighbour.mails, answers },
    struck,
    hourlyCap,
  });
} finally {
  await stand.stop();
  if (sound) await rm(stand.folder, { recursive: true, force: true });
}
process.exit(sound ? 0 : 1);
