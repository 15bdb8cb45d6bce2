import { spawn, type ChildProcess } from "node:child_process";
import { openSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "@/bin/start/root";
import { connect, type Database } from "@/db/client";
import { startCluster, type Cluster } from "@/db/embedded/cluster";
import { migrateDatabase } from "@/db/migrate";
import { confirmAppSecret } from "@/lib/ground/installation";
import { reloadEnv } from "@/lib/ground/env/env";
import { freePort } from "@/db/embedded/free-port";

/** A program that is started again whenever it ends, until it is let go. */
class Kept {
  /** How often it ended without being let go. */
  deaths = 0;
  #child: ChildProcess | null = null;
  #down = false;
  readonly #start: () => ChildProcess;

  constructor(start: () => ChildProcess) {
    this.#start = start;
    this.#run();
  }

  #run(): void {
    const child = this.#start();
    this.#child = child;
    child.once("exit", () => {
      this.#child = null;
      if (this.#down) return;
      this.deaths++;
      setTimeout(() => {
        if (!this.#down && !this.#child) this.#run();
      }, 500);
    });
  }

  get running(): boolean {
    return this.#child !== null;
  }

  /** Resolves when it is dead. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const dead = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await dead;
  }

  /** Gone until `up`. */
  async down(): Promise<void> {
    this.#down = true;
    await this.kill();
  }

  up(): void {
    this.#down = false;
    this.#run();
  }
}

/** A durable Postgres, a mail server that logs what it takes, workers and the APIs: most can be killed. */
export class ChaosStand {
  readonly folder: string;
  readonly log: string;
  readonly workers: Kept[];
  readonly sink: Kept;
  /** Where the HTTP surfaces are: `http://127.0.0.1:3000`. */
  readonly web: string;
  readonly #web: Kept;
  #cluster: Cluster;
  #db: Database;

  /** How often the program that answers HTTP ended by itself. */
  get webDeaths(): number {
    return this.#web.deaths;
  }

  private constructor(
    folder: string,
    cluster: Cluster,
    sink: Kept,
    web: { address: string; program: Kept },
  ) {
    this.folder = folder;
    this.log = join(folder, "sink.log");
    this.#cluster = cluster;
    this.#db = connect(cluster.url, { max: 2, name: "chaos" });
    this.workers = [];
    this.sink = sink;
    this.web = web.address;
    this.#web = web.program;
  }

  static async start(workers: number): Promise<ChaosStand> {
    const folder = await mkdtemp(join(tmpdir(), "lettermill-chaos-"));
    await chmod(folder, 0o711);
    const cluster = await startCluster(clusterOptions(folder, await freePort()));
    await migrateDatabase(cluster.url);
    const [sinkPort, webPort] = [await freePort(), await freePort()];
    Object.assign(process.env, {
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
      APP_URL: "http://localhost:3000",
      APP_SECRET: "a secret that only this run uses",
      PORT: String(webPort),
      MAIL_TRANSPORT: `smtp://127.0.0.1:${sinkPort}?connections=5`,
      LOG_LEVEL: "warn",
    });
    reloadEnv();
    const output = openSync(join(folder, "worker.log"), "a");
    const start = (script: string, args: string[], channel: "ipc" | "ignore") =>
      spawn(process.execPath, ["--import", "tsx", join(root, script), ...args], {
        cwd: root,
        stdio: ["ignore", output, output, channel],
      });
    const log = join(folder, "sink.log");
    const sink = new Kept(() => start("bench/chaos/sink.ts", [String(sinkPort), log], "ipc"));
    const stand = new ChaosStand(folder, cluster, sink, {
      address: `http://127.0.0.1:${webPort}`,
      program: new Kept(() => start("bench/web.ts", [], "ipc")),
    });
    await confirmAppSecret(stand.#db);
    for (let n = 0; n < workers; n++) {
      stand.workers.push(new Kept(() => start("bin/worker.ts", [], "ignore")));
    }
    return stand;
  }

  /** Asks until the database answers: it may be down, or its fall may have broken this pool. */
  async ask<Answer>(work: (db: Database) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const db = this.#db;
      try {
        const answer = await Promise.race([work(db), sleep(30_000, null, { ref: false })]);
        if (answer !== null) return answer;
      } catch (error) {
        const { code } = ((error as { cause?: unknown }).cause ?? error) as { code?: string };
        if (!/^(CONN|ECONN|EPIPE|57P|08)/.test(code ?? "")) throw error;
      }
      await sleep(200);
      if (db === this.#db) this.#renew();
    }
  }

  #renew(): void {
    void this.#db.$client.end({ timeout: 0 }).catch(() => {});
    this.#db = connect(this.#cluster.url, { max: 2, name: "chaos" });
  }

  /** Postgres dies without a word, and recovers from what it had on disk. */
  async restartPostgres(): Promise<void> {
    process.kill(this.#cluster.pid, "SIGKILL");
    await this.#cluster.ended;
    this.#cluster = await startCluster(clusterOptions(this.folder, this.#cluster.port));
    this.#renew();
  }

  async stop(): Promise<void> {
    for (const program of [...this.workers, this.#web, this.sink]) await program.down();
    await this.#db.$client.end({ timeout: 5 }).catch(() => {});
    await this.#cluster.stop();
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
