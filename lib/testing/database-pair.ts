import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@/db/embedded/cluster";
import { freePort } from "@/db/embedded/free-port";
import { migrateDatabase } from "@/db/migrate";

/**
 * Two servers with this release's schema: a primary, and a standby that is a copy of its folder and follows
 * it. `synchronous`: a commit counts once the standby has it on disk. `stop` ends both and removes their data.
 */
export async function startPrimaryAndStandby({ synchronous }: { synchronous: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-pair-"));
  await chmod(folder, 0o711);
  const password = "lettermill";
  const server = (name: string, port: number, settings: Record<string, string> = {}) => ({
    folder: join(folder, name),
    password,
    port,
    settings: { shared_buffers: "64MB", ...settings },
    logFile: join(folder, `${name}.log`),
  });
  const [port, standbyPort] = [await freePort(), await freePort()];
  const first = await startCluster(server("primary", port));
  await migrateDatabase(first.url);
  await first.stop();
  // With their owner: as root, Postgres runs as another user.
  execFileSync("cp", ["-a", join(folder, "primary"), join(folder, "standby")]);
  const signal = join(folder, "standby", "standby.signal");
  execFileSync("cp", ["-p", join(folder, "standby", "PG_VERSION"), signal]);
  const waits = { synchronous_standby_names: synchronous ? "*" : "" };
  const primary = await startCluster(server("primary", port, waits));
  const follows = `host=127.0.0.1 port=${port} user=lettermill password=${password}`;
  const startStandby = () =>
    startCluster(server("standby", standbyPort, { primary_conninfo: follows, hot_standby: "on" }));
  let standby = await startStandby();
  return {
    primary,
    get standby() {
      return standby;
    },
    restartStandby: async () => {
      standby = await startStandby();
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
