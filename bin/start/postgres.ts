import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCluster, type Cluster } from "@/db/embedded/cluster";
import { freePort } from "@/db/embedded/free-port";
import { env } from "@/lib/ground/env/env";
import { Backoff } from "./backoff";
import { Fault } from "./fault";
import { warn } from "./terminal";

export interface KeptPostgres {
  url: string;
  port: number;
  /** The running server's; null between two runs. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** The programs start after Postgres: where they are going to listen still looks free. */
function portsOfPrograms() {
  const { PORT, SMTP_RELAY_PORT, SMTP_INBOUND_PORT } = env();
  return [PORT, SMTP_RELAY_PORT, SMTP_INBOUND_PORT];
}

/**
 * The embedded Postgres in DATA_DIR, on a free port that no program is to have if none is named. Throws a Fault when
 * it cannot be started.
 */
export async function startPostgres(
  dataDir: string,
  password: string,
  port?: number,
): Promise<Cluster> {
  try {
    return await startCluster({
      folder: join(dataDir, "postgres"),
      password,
      logFile: join(dataDir, "postgres.log"),
      port: port ?? (await freePort(portsOfPrograms())),
    });
  } catch (error) {
    throw new Fault(error instanceof Error ? error.message : String(error));
  }
}

/** Starts Postgres and, should it stop unexpectedly, restarts it on the same port, with backoff. */
export async function keepPostgres(dataDir: string, password: string): Promise<KeptPostgres> {
  const backoff = new Backoff();
  const stopping = new AbortController();
  let current: Cluster | null = await startPostgres(dataDir, password);
  const { url, port } = current;

  async function keep(): Promise<void> {
    let began = performance.now();
    while (!stopping.signal.aborted) {
      await current?.ended;
      if (stopping.signal.aborted) return;
      current = null;
      const seconds = backoff.next((performance.now() - began) / 1000);
      warn(`Postgres ended by itself; it is started again in ${seconds} s.`);
      await sleep(seconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      began = performance.now();
      try {
        current = await startPostgres(dataDir, password, port);
      } catch (error) {
        warn(error instanceof Error ? error.message : String(error));
      }
    }
  }

  const done = keep();
  return {
    url,
    port,
    get pid() {
      return current?.pid ?? null;
    },
    async stop() {
      stopping.abort();
      await current?.stop();
      await done;
      // It may have come up again while it was being stopped.
      await current?.stop();
    },
  };
}
