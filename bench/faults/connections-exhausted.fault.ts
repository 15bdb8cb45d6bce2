import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, type Database } from "@/db/client";
import { startCluster } from "@/db/embedded/cluster";
import { sqlState } from "@/db/errors";
import { httpAnswer } from "@/bench/chaos/answers";
import { until } from "@/lib/testing/until";
import { rehearse, unsound, workers, type Run } from "./rehearse";
import { password } from "./stand";

const mostConnections = 80;
const tooMany = "53300";
/** What these sessions are called, and those of the stand. */
const [name, stands] = ["another program", "chaos"];
/** How soon what has come free is taken. */
const everyMilliseconds = 10;
const heldMilliseconds = { least: 3_000, most: 7_000 };

/** Sessions that take each connection there is, and each that comes free, until they let go. */
class OtherSessions {
  readonly #url: string;
  readonly #open: Database[] = [];
  #full = false;
  #taking: Promise<void> | null = null;
  #isLettingGo = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves when there is no connection left. */
  async takeAll(): Promise<void> {
    this.#isLettingGo = false;
    this.#full = false;
    this.#taking = this.#take();
    await this.#untilFull();
  }

  /** Ends the programs' sessions, those that are just beginning too, and takes their place. */
  async takeTheirs(): Promise<void> {
    const [one] = this.#open;
    let calmRounds = 0;
    await until(
      async () => {
        const ended = await one?.execute(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and application_name not in (${name}, ${stands})`);
        this.#full = false;
        await this.#untilFull();
        calmRounds = ended?.length === 0 ? calmRounds + 1 : 0;
        return calmRounds === 3;
      },
      { what: "no program has a connection", seconds: 60, everyMilliseconds: 50 },
    );
  }

  async letGo(): Promise<void> {
    this.#isLettingGo = true;
    await this.#taking;
    await Promise.all(this.#open.splice(0).map((db) => db.$client.end({ timeout: 5 })));
  }

  async #untilFull(): Promise<void> {
    await until(() => this.#full, { what: "all connections are taken", seconds: 60 });
  }

  async #take(): Promise<void> {
    while (!this.#isLettingGo) {
      const db = connect(this.#url, { max: 1, name });
      try {
        await db.execute(sql`select 1`);
        this.#open.push(db);
      } catch (error) {
        // One of these may be ended as it begins, too.
        if (sqlState(error) === tooMany) this.#full = true;
        void db.$client.end({ timeout: 0 });
        await sleep(everyMilliseconds);
      }
    }
  }
}

/** What somebody who asks for something meanwhile is told. */
async function askMeanwhile({ stand, scene }: Run): Promise<string> {
  const [machine] = stand.machines;
  const answer = await fetch(`${machine?.doors.web}/v1/contacts?limit=1`, {
    headers: { authorization: `Bearer ${scene.shop.apiKey}`, connection: "close" },
  });
  const { error } = (await answer.json()) as { error?: { code: string } };
  return `${httpAnswer(answer.status, answer.headers.get("retry-after"))} ${error?.code}`;
}

/** Whether each worker has a session that listens. */
async function allListen(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ listening: number }>(sql`
    select count(*)::int as listening from pg_stat_activity
    where application_name like 'lettermill worker %' and query ilike 'listen %'`);
  return row?.listening === workers;
}

test("a Postgres without a connection left costs no mail and no copy, and callers are told to come back", async () => {
  const told: string[] = [];
  const findings = await rehearse({
    name: "connections are exhausted",
    stand: {
      startDatabase: (dataFolder) =>
        startCluster({
          folder: join(dataFolder, "postgres"),
          logFile: join(dataFolder, "postgres.log"),
          password,
          settings: { max_connections: String(mostConnections) },
        }),
    },
    async strike(run) {
      const { stand, chance, arrived, harm, say } = run;
      const others = new OtherSessions(stand.database.url);
      const { least, most } = heldMilliseconds;
      for (const [n, theirs] of [false, true, false, true].entries()) {
        await arrived(0.1 + 0.2 * n + 0.05 * chance.next());
        const what = theirs ? "every connection" : "what is left of connections";
        await harm(`other sessions take ${what}`, async () => {
          await others.takeAll();
          if (theirs) {
            await others.takeTheirs();
            say("no program has a connection");
            told.push(await askMeanwhile(run));
          }
          await sleep(least + chance.below(most - least));
          await others.letGo();
        });
      }
      await until(() => stand.ask(allListen), {
        what: "both workers are told again of what is due",
        seconds: 60,
        everyMilliseconds: 100,
      });
    },
  });
  expect(unsound(findings)).toEqual([]);
  expect(told).toEqual(["503 UNAVAILABLE", "503 UNAVAILABLE"]);
});
