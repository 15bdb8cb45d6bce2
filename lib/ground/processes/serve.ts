import { isAppError } from "@/lib/ground/errors";
import { keptShared, type Answer, type Batch, type SentError } from "./protocol";

/** Processor time that this process has used since it started, in milliseconds. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function sentError(error: unknown): SentError {
  if (isAppError(error)) {
    const { code, message, details } = error;
    return { code, message, details };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

/** Asks for more milliseconds of the processor, for work whose size only shows along the way. */
export type NeedTime = (milliseconds: number) => void;

type Job = (shared: never, input: never, needTime: NeedTime) => unknown;

/** Makes this process one of a ProcessPool's: it runs the jobs, by name, one after the other, until it is ended. */
export function serveJobs(jobs: Record<string, Job>): void {
  if (!process.send) throw new Error("Jobs are served in a process of a pool.");
  // Once the pool's program is gone nobody is left to hear an answer.
  process.on("disconnect", () => process.exit());
  // A terminal sends these to the whole group; the pool's program decides how long it still needs this one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  const needTime: NeedTime = (milliseconds) => void send({ kind: "more", milliseconds });
  const kept = new Map<number, unknown>();
  const work = async ({ job, sharedId, shared, inputs }: Batch) => {
    if (shared) {
      kept.set(sharedId, shared.value);
      const [oldest] = kept.keys();
      if (kept.size > keptShared && oldest !== undefined) kept.delete(oldest);
    }
    for (const input of inputs) {
      const outcome = await attempt(() => {
        const run = jobs[job];
        if (!run) throw new Error(`There is no job ${job}.`);
        return run(kept.get(sharedId) as never, input as never, needTime);
      });
      // Sent before the next begins: a job that gets the process killed must not take earlier answers along.
      await send({ ...outcome, processorMilliseconds: processorMilliseconds() });
    }
  };
  process.on("message", (batch: Batch) => void work(batch));
  void send({ kind: "ready", processorMilliseconds: processorMilliseconds() });
}

type Outcome = { kind: "result"; value: unknown } | { kind: "error"; error: SentError };

async function attempt(run: () => unknown): Promise<Outcome> {
  try {
    return { kind: "result", value: await run() };
  } catch (error) {
    return { kind: "error", error: sentError(error) };
  }
}

/** Resolves when all of it is written, which is at once for a message that fits into the pipe. */
function send(message: Answer): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });
}
