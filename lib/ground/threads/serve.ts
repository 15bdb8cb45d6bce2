import { parentPort } from "node:worker_threads";
import { isAppError } from "@/lib/ground/errors";
import { keptShared, type Answer, type Batch, type SentError } from "./protocol";

/** A thread's own use of the processor since it started. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function sentError(error: unknown): SentError {
  if (isAppError(error)) {
    const { code, message, details } = error;
    return { code, message, details };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

/** Asks for more milliseconds of the processor, for work whose size shows only on the way. */
export type NeedTime = (milliseconds: number) => void;

type Job = (shared: never, input: never, needTime: NeedTime) => unknown;

/** Makes this thread one of a ThreadPool's: it runs the jobs, by name, until it is ended. */
export function serveJobs(jobs: Record<string, Job>): void {
  const port = parentPort;
  if (!port) throw new Error("Jobs are served on a thread.");
  const answer = (message: Answer) => port.postMessage(message);
  const needTime: NeedTime = (milliseconds) => answer({ kind: "more", milliseconds });
  const kept = new Map<number, unknown>();
  port.on("message", ({ job, sharedId, shared, inputs }: Batch) => {
    if (shared) {
      kept.set(sharedId, shared.value);
      const [oldest] = kept.keys();
      if (kept.size > keptShared && oldest !== undefined) kept.delete(oldest);
    }
    for (const input of inputs) {
      try {
        const run = jobs[job];
        if (!run) throw new Error(`There is no job ${job}.`);
        const value = run(kept.get(sharedId) as never, input as never, needTime);
        answer({ kind: "result", value, cpuMilliseconds: cpuMilliseconds() });
      } catch (error) {
        answer({ kind: "error", error: sentError(error), cpuMilliseconds: cpuMilliseconds() });
      }
    }
  });
  answer({ kind: "ready" });
}
