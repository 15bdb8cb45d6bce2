import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@/db/embedded/free-port";
import { startDnsServer } from "@/lib/testing/dns-server";
import { Findings } from "./findings";
import { Chance } from "@/lib/testing/chance";
import { Requests } from "./requests";
import { settledMail, startCampaign, surfacesOf } from "./scene";
import { startStand, untilReady } from "../stand";

/*
 * `npm run fuzz [minutes] [seed]`: requests made from both API documents, valid and broken, up to 30 a
 * second, beside a campaign to a mail server that takes its time. It passes when nothing is answered with
 * 5xx or other than as documented, no event loop stands still, and the campaign keeps the pace it had
 * alone.
 */

const minutes = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const perSecond = 30;
const lanes = 4;
/** Milliseconds an event loop may stand still. */
const longestDelay = 200;
/** Share of its undisturbed pace that the campaign keeps. */
const leastPace = 0.8;
const aloneSeconds = Math.min(60, minutes * 20);
/** The mail server's milliseconds a mail, and sessions with it: 10 / 0.05 = 200 mails a second. */
const answerAfter = 50;
const sessions = 10;

/** The columns of a line of loop-delay.ts. */
type LoopDelay = [at: number, delay: number, used: number, collected: number];

const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

const sink = fork(fileURLToPath(new URL("../mail-sink.ts", import.meta.url)), {
  env: { ...process.env, ANSWER_AFTER: String(answerAfter) },
});
const [sinkPort] = (await once(sink, "message")) as [number];
const dns = await startDnsServer();
const stand = await startStand({
  MAIL_TRANSPORT: `smtp://127.0.0.1:${sinkPort}?connections=${sessions}`,
  DNS_SERVERS: dns.address,
});
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const programs = ["web", "worker"].map((name) => ({
  name,
  file: join(tmpdir(), `lettermill-fuzz-${process.pid}-${name}`),
}));
const watched = (n: number) => ({
  NODE_OPTIONS: `--import tsx --import ${fileURLToPath(new URL("loop-delay.ts", import.meta.url))}`,
  LOOP_DELAY_FILE: programs[n]?.file ?? "",
  PORT: String(port),
});

let sound = false;
try {
  const surfaces = await surfacesOf(stand.db);
  const campaign = await startCampaign(stand.db, Math.ceil((minutes + 3) * 60 * 220));
  const web = stand.run("bench/web.ts", [], watched(0));
  await untilReady(web);
  const worker = stand.run("bin/worker.ts", [], watched(1));
  const alive = () =>
    [web, worker].every(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  say(`seed ${seed}; ${minutes} minutes; the campaign runs alone at first`);
  while ((await settledMail(stand.db, campaign)) === 0) await sleep(200);
  await sleep(10_000);

  const pace = async (seconds: number) => {
    const [before, from] = [await settledMail(stand.db, campaign), performance.now()];
    await sleep(seconds * 1_000);
    return (
      ((await settledMail(stand.db, campaign)) - before) / ((performance.now() - from) / 1_000)
    );
  };
  const alone = await pace(aloneSeconds);
  say(`alone ${alone.toFixed(0)} mails a second`);

  const chance = new Chance(seed);
  const findings = new Findings();
  const makers = surfaces.map((surface) => ({ surface, requests: new Requests(surface, chance) }));
  const [began, ends] = [Date.now(), Date.now() + minutes * 60_000];
  let sent = 0;
  const lane = async () => {
    while (Date.now() < ends && alive()) {
      const ahead = (sent / perSecond) * 1_000 - (Date.now() - began);
      if (ahead > 0) await sleep(ahead);
      sent++;
      const { surface, requests } = chance.pick(makers);
      const request = requests.next();
      const answer = await findings.ask(base, request, surface.contract);
      if (answer && answer.status < 300) requests.ids.harvest(request.kind, answer.body);
    }
  };
  const paces: number[] = [];
  const watch = async () => {
    while (Date.now() < ends && alive()) {
      paces.push(await pace(Math.min(30, minutes * 10)));
      say(
        `${sent} requests, ${findings.count} findings, ${paces.at(-1)?.toFixed(0)} mails a second`,
      );
    }
  };
  await Promise.all([...Array.from({ length: lanes }, lane), watch()]);

  findings.print();
  const delays = programs.map(({ name, file }) => {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const measured = lines.map((line) => line.split(" ").map(Number) as LoopDelay);
    const during = measured.filter(([at]) => at > began + 1_000);
    const long = during.filter(([, delay]) => delay > longestDelay);
    for (const [at, delay, used, collected] of long.slice(0, 20)) {
      const time = new Date(at).toISOString().slice(11, 23);
      console.log(
        `${name} stood still for ${delay} ms at ${time}: ${used} ms on the processor, longest garbage collection ${collected} ms`,
      );
    }
    const longest = Math.max(0, ...during.map(([, delay]) => delay));
    console.log(
      `${name}: longest delay of the event loop ${longest} ms, ${long.length} over ${longestDelay} ms`,
    );
    return longest;
  });
  const kept = paces.reduce((sum, one) => sum + one, 0) / paces.length / alone;
  console.log(`pace of the campaign: ${Math.round(kept * 100)} % of ${alone.toFixed(0)} a second`);
  console.log(`both programs alive: ${alive()}; ${sent} requests; seed ${seed}`);
  sound =
    alive() && findings.count === 0 && Math.max(...delays) <= longestDelay && kept >= leastPace;
} finally {
  await stand.stop();
  await dns.stop();
  sink.disconnect();
}
process.exit(sound ? 0 : 1);
