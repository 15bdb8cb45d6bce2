import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startCluster } from "@/db/embedded/cluster";
import { scratchFolder } from "./scratch";

/** A crash would cost nothing: the data is thrown away. */
const settings = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "300",
};

/** Waits for its parent's end; the server may have been started again since. */
const guard =
  'cat >/dev/null; read -r pid <"$1/postmaster.pid" && kill -QUIT "$pid" && sleep 1; rm -rf "$2"';

/** Ends the server of a data folder and removes `folder` when this process goes away without having done so. */
export function guardCluster(dataFolder: string, folder: string): ChildProcess {
  const watcher = spawn("/bin/sh", ["-c", guard, "sh", dataFolder, folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  return watcher;
}

export interface TestCluster {
  /** The connection URL of one of its databases. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Starts an empty Postgres on a free loopback port in a folder of its own. */
export async function startTestCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(join(scratchFolder(), "lettermill-test-postgres-"));
  // Root's folder can be entered, so that the account Postgres runs as gets through to its data.
  await chmod(folder, 0o711);
  const cluster = await startCluster({
    folder: join(folder, "data"),
    password: "lettermill",
    settings,
    logFile: join(folder, "log"),
  });
  const watcher = guardCluster(join(folder, "data"), folder);
  return {
    url: (database) => {
      const url = new URL(cluster.url);
      url.pathname = `/${database}`;
      return url.href;
    },
    async stop() {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
      watcher.kill();
    },
  };
}
