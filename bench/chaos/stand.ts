import { spawn, type ChildProcess } from "node:child_process";
import { openSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import type { Database } from "@/db/client";
import { startCluster, type Cluster } from "@/db/embedded/cluster";
import { migrateDatabase } from "@/db/migrate";
import { confirmAppSecret } from "@/lib/ground/installation";
import { reloadEnv } from "@/lib/ground/env/env";
import { freePort } from "@/db/embedded/free-port";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { untilReady } from "../stand";
import type { Answers } from "./answers";
import { untilOpen, type Doors } from "./doors";
import { Kept } from "./kept";
import { PatientDatabase } from "./patient-database";

/** Starts a program of the checkout with these arguments. */
type Start = (script: string, args: string[], channel: "ipc" | "ignore") => ChildProcess;

/** Another project's bombs, which a process of their own throws. */
export interface Bomber {
  throw(): void;
  /** Resolves to the answers once nothing is under way. */
  stop(): Promise<Answers>;
}

/** A durable Postgres, a mail server that logs what it takes, workers, the APIs and SMTP: most can be killed. */
export class ChaosStand {
  readonly folder: string;
  readonly log: string;
  readonly workers: Kept[];
  readonly sink: Kept;
  readonly doors: Doors;
  readonly #web: Kept;
  readonly #smtp: Kept;
  readonly #dns: DnsServer;
  readonly #start: Start;
  #cluster: Cluster;
  readonly #db: PatientDatabase;

  private constructor(
    folder: string,
    { cluster, dns }: { cluster: Cluster; dns: DnsServer },
    doors: Doors,
    start: Start,
  ) {
    this.folder = folder;
    this.log = join(folder, "sink.log");
    this.doors = doors;
    this.#cluster = cluster;
    this.#dns = dns;
    this.#db = new PatientDatabase(cluster.url);
    this.#start = start;
    this.workers = [];
    const sinkPort = new URL(process.env["MAIL_TRANSPORT"] ?? "").port;
    this.sink = new Kept("mail server", () =>
      start("bench/chaos/sink.ts", [sinkPort, this.log], "ipc"),
    );
    this.#web = new Kept("web", () => start("bench/web.ts", [], "ipc"));
    this.#smtp = new Kept("smtp", () => start("bin/smtp.ts", [], "ignore"));
  }

  /** The programs, other than the mail server. */
  get #programs(): Kept[] {
    return [...this.workers, this.#web, this.#smtp];
  }

  /** Programs that ended though nobody killed them, with how often. */
  get endedByThemselves(): string[] {
    return this.#programs
      .filter(({ endedByItself }) => endedByItself > 0)
      .map(({ name, endedByItself }) => `${name} (${endedByItself})`);
  }

  /** The most memory that the program's process of now has had: `web 300 MB`. */
  get memory(): string[] {
    return this.#programs.map(({ name, mostMegabytes }) => `${name} ${mostMegabytes ?? "?"} MB`);
  }

  static async start(workers: number): Promise<ChaosStand> {
    const folder = await mkdtemp(join(tmpdir(), "lettermill-chaos-"));
    await chmod(folder, 0o711);
    const cluster = await startCluster(clusterOptions(folder, await freePort()));
    await migrateDatabase(cluster.url);
    const [sinkPort, webPort] = [await freePort(), await freePort()];
    const [relayPort, inboundPort] = [await freePort(), await freePort()];
    const dns = await startDnsServer();
    Object.assign(process.env, {
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
      DNS_SERVERS: dns.address,
      APP_URL: "http://localhost:3000",
      APP_SECRET: "a secret that only this run uses",
      PORT: String(webPort),
      SMTP_RELAY_PORT: String(relayPort),
      SMTP_INBOUND_PORT: String(inboundPort),
      SMTP_RELAY_PLAINTEXT_AUTH: "1",
      MAIL_TRANSPORT: `smtp://127.0.0.1:${sinkPort}?connections=5`,
      LOG_LEVEL: "warn",
    });
    reloadEnv();
    const output = openSync(join(folder, "worker.log"), "a");
    const start: Start = (script, args, channel) =>
      spawn(process.execPath, ["--import", "tsx", join(root, script), ...args], {
        cwd: root,
        stdio: ["ignore", output, output, channel],
      });
    const doors = { web: `http://127.0.0.1:${webPort}`, relayPort, inboundPort };
    const stand = new ChaosStand(folder, { cluster, dns }, doors, start);
    await stand.ask(confirmAppSecret);
    for (let n = 1; n <= workers; n++) {
      const worker = () => start("bin/worker.ts", [], "ignore");
      stand.workers.push(new Kept(`worker ${n}`, worker));
    }
    await untilOpen(doors);
    return stand;
  }

  /** Resolves when all bombs are made, or those of the kinds whose name begins with `part`. */
  async prepareBombs(part: string): Promise<Bomber> {
    const child = this.#start("bench/chaos/bomber.ts", [JSON.stringify(this.doors), part], "ipc");
    await untilReady(child);
    const ended = new Promise<never>((_, reject) => {
      child.once("exit", () => reject(new Error("The bombs ended by themselves.")));
    });
    ended.catch(() => {});
    return {
      throw: () => void child.send("throw", () => {}),
      stop: async () => {
        const told = new Promise<Answers>((resolve) => {
          child.once("message", ({ answers }: { answers: Answers }) => resolve(answers));
        });
        child.send("stop", () => {});
        const answers = await Promise.race([told, ended]);
        child.disconnect();
        return answers;
      },
    };
  }

  /** Asks until the database answers: it may be down. */
  ask<Answer>(work: (db: Database) => Promise<Answer>): Promise<Answer> {
    return this.#db.ask(work);
  }

  /** Postgres dies without a word, and recovers from what it had on disk. */
  async restartPostgres(): Promise<void> {
    process.kill(this.#cluster.pid, "SIGKILL");
    await this.#cluster.ended;
    this.#cluster = await startCluster(clusterOptions(this.folder, this.#cluster.port));
  }

  async stop(): Promise<void> {
    for (const program of [...this.#programs, this.sink]) await program.down();
    await this.#db.end();
    await this.#cluster.stop();
    await this.#dns.stop();
  }
}

function clusterOptions(folder: string, port: number) {
  return {
    folder: join(folder, "postgres"),
    password: "lettermill",
    logFile: join(folder, "postgres.log"),
    port,
  };
}
