import { availableParallelism, totalmem } from "node:os";
import type { ProgramName } from "@/bin/program";
import { env } from "@/lib/ground/env/env";

/** What a web and a worker need together, with the processes that render heavy templates. */
const bytesPerPair = 1_000_000_000;
/** With more than this, one Postgres on the same machine becomes the bottleneck. */
const mostPairs = 8;

export interface Machine {
  /** Cores this process may use, by its affinity or its container's limit. */
  cores: number;
  bytes: number;
}

function thisMachine(): Machine {
  const limit = process.constrainedMemory();
  return { cores: availableParallelism(), bytes: limit ? Math.min(limit, totalmem()) : totalmem() };
}

/**
 * How many processes run each program: WEB_PROCESSES and WORKER_PROCESSES, otherwise one of each for
 * every two cores, as far as memory allows. Development has one web, which reloads what is edited.
 */
export function processCounts(
  { dev }: { dev: boolean },
  { cores, bytes }: Machine = thisMachine(),
): Record<ProgramName, number> {
  const { WEB_PROCESSES, WORKER_PROCESSES } = env();
  const room = Math.min(Math.floor(cores / 2), Math.floor(bytes / bytesPerPair), mostPairs);
  const pairs = Math.max(1, room);
  return { web: dev ? 1 : (WEB_PROCESSES ?? pairs), worker: WORKER_PROCESSES ?? pairs, smtp: 1 };
}
