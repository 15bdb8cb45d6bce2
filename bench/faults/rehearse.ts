import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { printAnswers } from "@/bench/chaos/answers";
import type { Finding } from "@/bench/chaos/beside";
import { Neighbour } from "@/bench/chaos/neighbour";
import { Chance } from "@/lib/testing/chance";
import { until } from "@/lib/testing/until";
import { Callers } from "./callers";
import { judge, recoverySeconds, type Allowance, type Fault } from "./judge";
import { beginCampaigns, makeScene, type Scene } from "./scene";
import { FaultStand, type StandOptions } from "./stand";

const people = Number(process.env["FAULT_PEOPLE"] ?? 1_500);
/** How long a campaign may take, whatever happens to it. */
const longestSeconds = 400;
/** For how long callers go on when all is over: whether everything is taken again has to show. */
const afterSeconds = 6;
/** Workers of a stand. */
export const workers = 2;

/** What a scenario has to work with. */
export interface Run {
  stand: FaultStand;
  scene: Scene;
  chance: Chance;
  say: (text: string) => void;
  /** Resolves when this share of the campaign has arrived at the receiver. */
  arrived: (share: number) => Promise<void>;
  /** Does something to the programs, and remembers when. */
  harm: <Result>(what: string, act: () => Promise<Result>) => Promise<Result>;
}

export interface Scenario {
  name: string;
  stand?: StandOptions;
  /** What may be left behind; the rest may not. */
  allowance?: Partial<Allowance>;
  /** Does its harm in the middle of the campaign; resolves when nothing more is in the way. */
  strike: (run: Run) => Promise<void>;
}

/**
 * Resolves when no mail waits, whosever, or no campaign's: what comes beside them never ends. The minutes between two
 * tries of a mail are not waited for.
 */
async function untilNoneWaits(stand: FaultStand, whose: "anybody's" | "campaigns'"): Promise<void> {
  const waiting = whose === "campaigns'" ? sql`where campaign_id is not null` : sql``;
  await until(
    () =>
      stand.ask(async (db) => {
        await db.execute(sql`
          update email_queue set due_at = app_now()
          where attempts > 0 and lease_id is null and due_at > app_now() + interval '5 seconds'`);
        const [row] = await db.execute<{ waits: boolean }>(sql`
          select exists (select from email_queue ${waiting})
            or exists (select from campaigns where status = 'SENDING') as waits`);
        return row?.waits === false;
      }),
    { what: `no mail of ${whose} waits`, seconds: longestSeconds, everyMilliseconds: 500 },
  );
}

/**
 * Runs two campaigns and everything beside them, has the scenario strike in the middle, and judges what is left.
 * FAULT_SEED repeats a run's choices, FAULT_PEOPLE changes how many people the campaign has.
 */
export async function rehearse({
  name,
  stand: options,
  allowance,
  strike,
}: Scenario): Promise<Finding[]> {
  const seed = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
  const chance = new Chance(seed);
  const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
  say(`${name}: seed ${seed}, ${people} people`);
  const stand = await FaultStand.start(options);
  let findings: Finding[] | null = null;
  try {
    const scene = await stand.ask((db) => makeScene(db, people));
    const doors = stand.machines.map((machine) => machine.doors);
    const callers = new Callers(doors, scene, chance);
    const neighbours = doors.map((door, n) => new Neighbour(door, scene.shop, `Shop${n}`));
    await stand.ask((db) => beginCampaigns(db, scene));
    for (const one of [callers, ...neighbours]) one.start();
    const faults: Fault[] = [];
    await strike({
      stand,
      scene,
      chance,
      say,
      arrived: async (share) => {
        await until(() => stand.receiver.log.length >= share * people, {
          what: `${Math.round(share * 100)} % of the campaign`,
          seconds: longestSeconds,
          everyMilliseconds: 20,
        });
      },
      harm: async (what, act) => {
        say(what);
        const from = Date.now();
        const result = await act();
        faults.push({ what, from, to: Date.now() });
        return result;
      },
    });
    await untilNoneWaits(stand, "campaigns'");
    await sleep(afterSeconds * 1_000);
    await Promise.all([callers, ...neighbours].map((one) => one.stop()));
    await untilNoneWaits(stand, "anybody's");
    printAnswers(callers.answers);
    const nothing: Allowance = { copies: 0, unanswered: 0, endings: false, recoverySeconds };
    const urgent = neighbours.flatMap(({ mails }) => mails);
    findings = await judge(stand, {
      ...{ scene, callers, urgent, faults },
      allowance: { ...nothing, ...allowance },
    });
    for (const [what, found, sound] of findings) {
      console.log(`${sound ? "ok " : "BAD"} ${what}: ${String(found)}`);
    }
    return findings;
  } finally {
    const sound = findings?.every(([, , well]) => well) ?? false;
    if (!sound)
      say(`seed ${seed} again: FAULT_SEED=${seed}; what the programs said is in ${stand.folder}`);
    await stand.stop({ keepFolder: !sound });
  }
}

/** What a test expects to be empty. */
export const unsound = (findings: readonly Finding[]) =>
  findings.filter(([, , sound]) => !sound).map(([what, found]) => `${what}: ${String(found)}`);
