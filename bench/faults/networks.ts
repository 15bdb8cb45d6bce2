import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { startCluster } from "@/db/embedded/cluster";
import { password, type StandDatabase } from "./stand";

const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });

const bridge = "lettermill";
const subnet = "10.213.7";

/** What all machines reach the database, the receiver and the name server at. */
export const commonHost = `${subnet}.1`;

/** A machine with a network stack of its own, on a cable that can be pulled. */
export interface Networked {
  host: string;
  prefix: readonly string[];
  /** Pulls the cable: nobody is told, packets just vanish. */
  cut(): void;
  join(): void;
}

function addMachine(n: number): Networked {
  const [name, cable, host] = [`${bridge}-${n}`, `${bridge}${n}`, `${subnet}.${n + 1}`];
  ip("netns", "add", name);
  ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name);
  ip("link", "set", cable, "master", bridge, "up");
  ip("-n", name, "address", "add", `${host}/24`, "dev", "eth0");
  for (const device of ["lo", "eth0"]) ip("-n", name, "link", "set", device, "up");
  return {
    host,
    prefix: ["ip", "netns", "exec", name],
    cut: () => void ip("link", "set", cable, "nomaster"),
    join: () => void ip("link", "set", cable, "master", bridge),
  };
}

function clear(count: number): void {
  const commands = [
    ...Array.from({ length: count }, (_, n) => ["netns", "delete", `${bridge}-${n + 1}`]),
    ["link", "delete", bridge],
  ];
  for (const command of commands) {
    try {
      ip(...command);
    } catch {
      // What a broken-off run left, or what was never made.
    }
  }
}

/** Machines on one bridge, and what clears them away; or why there can be none. */
export function makeNetworks(
  count: number,
): { machines: readonly Networked[]; clear: () => void } | { why: string } {
  clear(count);
  try {
    ip("link", "add", bridge, "type", "bridge");
    ip("address", "add", `${commonHost}/24`, "dev", bridge);
    ip("link", "set", bridge, "up");
    return {
      machines: Array.from({ length: count }, (_, n) => addMachine(n + 1)),
      clear: () => clear(count),
    };
  } catch (error) {
    clear(count);
    return {
      why: `No networks can be made here, which needs Linux, iproute2 and root: ${String(error)}`,
    };
  }
}

/** A Postgres that listens on the bridge, too. */
export async function startOnBridge(dataFolder: string): Promise<StandDatabase> {
  const folder = join(dataFolder, "postgres");
  const cluster = await startCluster({
    ...{ folder, password, logFile: join(dataFolder, "postgres.log") },
    settings: { listen_addresses: `127.0.0.1,${commonHost}` },
  });
  appendFileSync(join(folder, "pg_hba.conf"), `host all all ${subnet}.0/24 scram-sha-256\n`);
  process.kill(cluster.pid, "SIGHUP");
  return cluster;
}
