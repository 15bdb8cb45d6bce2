import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilOpen, type Doors } from "@/bench/chaos/doors";
import { Kept } from "@/bench/chaos/kept";
import { PatientDatabase } from "@/bench/chaos/patient-database";
import { lean } from "@/bin/start/children";
import { keepPostgres } from "@/bin/start/postgres";
import { root } from "@/bin/start/root";
import type { Database } from "@/db/client";
import { freePort } from "@/db/embedded/free-port";
import { migrateDatabase } from "@/db/migrate";
import { guardCluster } from "@/db/testing/cluster";
import { reloadEnv } from "@/lib/ground/env/env";
import { confirmAppSecret } from "@/lib/ground/installation";
import { startDnsServer } from "@/lib/testing/dns-server";
import { until } from "@/lib/testing/until";
import { Receiver } from "./receiver";

export type ProgramName = "web" | "worker" | "smtp";

/** A machine with webs (one unless it says otherwise), workers and one smtp, as its programs are started. */
export interface Machine {
  /** What its programs are reached at. */
  host: string;
  webs?: number;
  workers: number;
  /** Words before the command of each of its programs. */
  prefix?: readonly string[];
  /** Settings of some of its programs; `n` counts those of the same name. */
  env?: (program: ProgramName, n: number) => Record<string, string>;
}

/** A server that stays on the same address, whatever becomes of it. */
export interface StandDatabase {
  url: string;
  /** null: it is not running just now. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

export interface StandOptions {
  machines?: readonly Machine[];
  /** Another server than the one that `npm start` keeps. */
  startDatabase?: (dataFolder: string) => Promise<StandDatabase>;
  /** What leads the programs to the database or the receiver; the address itself if left out. */
  databaseUrlFor?: (url: string) => Promise<string>;
  receiverPortFor?: (port: number) => Promise<number>;
  /** Where database, receiver and name server are, as seen by the programs. */
  host?: string;
  /** Another checkout, which each program runs from until it ends for the first time. */
  oldRoot?: string;
}

export interface RunningMachine {
  doors: Doors;
  programs: Record<ProgramName, Kept[]>;
}

const scripts: Record<ProgramName, string> = {
  web: "bench/web.ts",
  worker: "bin/worker.ts",
  smtp: "bin/smtp.ts",
};
export const password = "lettermill";
/** A worker's with the receiver, each with a mail on it. */
export const sessions = 5;
/** What a killed worker may leave to be sent again: a mail on each session, and as many taken but not recorded yet. */
export const inFlight = 2 * sessions;
const oneMachine: readonly Machine[] = [{ host: "127.0.0.1", workers: 2 }];

/** The product's programs as processes of their own, a durable Postgres as `npm start` keeps it, and a receiver. */
export class FaultStand {
  readonly folder: string;
  readonly dataFolder: string;
  readonly receiver: Receiver;
  readonly database: StandDatabase;
  readonly machines: RunningMachine[] = [];
  readonly #db: PatientDatabase;
  readonly #stopRest: () => Promise<void>;

  private constructor(
    folder: string,
    database: StandDatabase,
    receiver: Receiver,
    stopRest: () => Promise<void>,
  ) {
    this.folder = folder;
    this.dataFolder = join(folder, "data");
    this.database = database;
    this.receiver = receiver;
    this.#db = new PatientDatabase(database.url);
    this.#stopRest = stopRest;
  }

  /** All programs, or those of one name. */
  programs(name?: ProgramName): Kept[] {
    return this.machines.flatMap(({ programs }) =>
      name ? programs[name] : [...programs.web, ...programs.worker, ...programs.smtp],
    );
  }

  static async start(options: StandOptions = {}): Promise<FaultStand> {
    const folder = await mkdtemp(join(tmpdir(), "lettermill-faults-"));
    const dataFolder = join(folder, "data");
    await mkdir(dataFolder);
    // Postgres runs as another user when this is root.
    for (const path of [folder, dataFolder]) await chmod(path, 0o711);
    const startDatabase = options.startDatabase ?? ((within) => keepPostgres(within, password));
    const database = await startDatabase(dataFolder);
    const guard = guardCluster(join(dataFolder, "postgres"), folder);
    await migrateDatabase(database.url);
    const host = options.host ?? "127.0.0.1";
    const receiver = await Receiver.start(host === "127.0.0.1" ? host : "0.0.0.0");
    const dns = await startDnsServer(host);
    const stand = new FaultStand(folder, database, receiver, async () => {
      guard.kill();
      await dns.stop();
    });
    const databaseUrl = await (options.databaseUrlFor?.(database.url) ?? database.url);
    const receiverPort = await (options.receiverPortFor?.(receiver.port) ?? receiver.port);
    const settings = {
      DATABASE_URL: databaseUrl.replace("127.0.0.1", host),
      DATA_DIR: folder,
      DNS_SERVERS: dns.address,
      APP_URL: "http://localhost:3000",
      APP_SECRET: "a secret that only this run uses",
      SMTP_RELAY_PLAINTEXT_AUTH: "1",
      MAIL_TRANSPORT: `smtp://${host}:${receiverPort}?connections=${sessions}`,
      LOG_LEVEL: "warn",
    };
    Object.assign(process.env, settings);
    reloadEnv();
    try {
      await stand.ask(confirmAppSecret);
      for (const machine of options.machines ?? oneMachine) {
        await stand.#start(machine, settings, options.oldRoot);
      }
      await Promise.all(stand.machines.map(({ doors }) => untilOpen(doors)));
      return stand;
    } catch (error) {
      await stand.stop({ keepFolder: true });
      throw error;
    }
  }

  async #start(machine: Machine, settings: Record<string, string>, oldRoot = root): Promise<void> {
    const { PATH = "", HOME = "" } = process.env;
    const { webs = 1 } = machine;
    const output = openSync(join(this.folder, "programs.log"), "a");
    const [port, relayPort, inboundPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      ...{ PATH, HOME, HOST: machine.host, PORT: String(port) },
      ...{ SMTP_RELAY_PORT: String(relayPort), SMTP_INBOUND_PORT: String(inboundPort) },
      WEB_PROCESSES: String(webs),
      ...settings,
    };
    const run = (name: ProgramName, n: number) => {
      let from = oldRoot;
      return new Kept(`${name} ${n}`, () => {
        const node = [
          process.execPath,
          ...(name === "web" ? [] : [lean]),
          "--import",
          "tsx",
          join(from, scripts[name]),
        ];
        const [command = "", ...args] = [...(machine.prefix ?? []), ...node];
        const child = spawn(command, args, {
          cwd: from,
          stdio: ["ignore", output, output, "ipc"],
          env: { NODE_ENV: "production", ...env, ...machine.env?.(name, n) },
        });
        from = root;
        return child;
      });
    };
    this.machines.push({
      doors: { web: `http://${machine.host}:${port}`, relayPort, inboundPort },
      programs: {
        web: Array.from({ length: webs }, (_, n) => run("web", n + 1)),
        worker: Array.from({ length: machine.workers }, (_, n) => run("worker", n + 1)),
        smtp: [run("smtp", 1)],
      },
    });
  }

  /** Resolves when each program has started again. */
  async untilAllServe(): Promise<void> {
    await until(() => this.programs().every(({ serves }) => serves), {
      what: "all programs serve",
      seconds: 400,
    });
  }

  /** Asks until the database answers: it may be down. */
  ask<Answer>(work: (db: Database) => Promise<Answer>): Promise<Answer> {
    return this.#db.ask(work);
  }

  /** Ends everything; `keepFolder`: what the programs said stays. */
  async stop({ keepFolder }: { keepFolder: boolean }): Promise<void> {
    for (const program of this.programs()) await program.down();
    await this.#db.end();
    await this.database.stop();
    await this.receiver.stop();
    await this.#stopRest();
    if (!keepFolder) await rm(this.folder, { recursive: true, force: true });
  }
}
