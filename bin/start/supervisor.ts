import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProgramName } from "@/bin/program";
import { Backoff } from "./backoff";

export interface SuperviseOptions {
  program: ProgramName;
  /** What the terminal calls this process of the program. */
  name: string;
  /** Starts the process, as leader of its own group (`detached`) and with an IPC channel. */
  start: () => ChildProcess;
  /** How long it may take to end after SIGTERM. */
  graceSeconds: number;
  /** A process that reported being alive and then is silent this long is stuck and killed. */
  silenceSeconds: number;
  /** Called at each unexpected end, with the wait before the next start. */
  onEnd: (ending: string, waitSeconds: number) => void;
}

export interface Supervised {
  readonly program: ProgramName;
  readonly name: string;
  /** The running process's; null between two runs. */
  readonly pid: number | null;
  /** Resolves to the process's own words when it first serves; rejects when it ends before that. */
  readonly ready: Promise<string>;
  /** Stops the process; it is restarted at once. */
  restart(): void;
  /** Stops the process for good: SIGTERM, then SIGKILL to its whole group after the grace period. */
  stop(): Promise<void>;
  /** Kills the whole group now. */
  kill(): void;
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}

/** Kills what is left of a process group: a leader that ended may have left others listening. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

/** Checks this often during the silence that is allowed. */
const looksPerSilence = 6;

/** Calls `stuck` when a process that sent messages stops doing so; returns what ends the watch. */
function watchForSilence(running: ChildProcess, seconds: number, stuck: () => void): () => void {
  // Checks are counted, not time: if the machine slept, so did this process.
  let looks: number | null = null;
  running.on("message", () => (looks = 0));
  const timer = setInterval(
    () => {
      if (looks !== null && ++looks > looksPerSilence) stuck();
    },
    (seconds * 1000) / looksPerSilence,
  );
  return () => clearInterval(timer);
}

/** Keeps a process running: restarts it, with backoff, whenever it ends on its own. */
export function supervise(options: SuperviseOptions): Supervised {
  const backoff = new Backoff();
  const stopping = new AbortController();
  const ready = Promise.withResolvers<string>();
  // A caller that does not wait for readiness need not handle its rejection.
  ready.promise.catch(() => {});
  let child: ChildProcess | null = null;
  let asked = false;

  async function life(): Promise<string> {
    const running = options.start();
    child = running;
    running.on("message", (message: { type?: unknown; text?: unknown }) => {
      if (message.type === "ready")
        ready.resolve(typeof message.text === "string" ? message.text : "");
    });
    let stuck = false;
    const endWatch = watchForSilence(running, options.silenceSeconds, () => {
      stuck = true;
      if (running.pid !== undefined) killGroup(running.pid);
    });
    const ending = await new Promise<string>((resolve) => {
      running.once("exit", (code, signal) =>
        resolve(
          stuck
            ? `did not answer for ${options.silenceSeconds} s and was killed`
            : describeEnd(code, signal),
        ),
      );
      running.once("error", (error) => resolve(`could not be started: ${error.message}`));
    });
    endWatch();
    child = null;
    if (running.pid !== undefined) killGroup(running.pid);
    return ending;
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      const began = performance.now();
      const ending = await life();
      if (stopping.signal.aborted) break;
      if (asked) {
        asked = false;
        continue;
      }
      ready.reject(new Error(`${options.name} ${ending}`));
      const waitSeconds = backoff.next((performance.now() - began) / 1000);
      options.onEnd(ending, waitSeconds);
      await sleep(waitSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
    ready.reject(new Error(`${options.name} was stopped`));
  }

  /** SIGTERM now, SIGKILL to the group when it is still there after the grace period. */
  function end(): void {
    const running = child;
    if (!running) return;
    running.kill("SIGTERM");
    const timer = setTimeout(() => {
      if (running.pid !== undefined) killGroup(running.pid);
    }, options.graceSeconds * 1000);
    running.once("exit", () => clearTimeout(timer));
  }

  const done = keep();
  return {
    program: options.program,
    name: options.name,
    get pid() {
      return child?.pid ?? null;
    },
    ready: ready.promise,
    restart() {
      if (!child || asked || stopping.signal.aborted) return;
      asked = true;
      end();
    },
    async stop() {
      stopping.abort();
      end();
      await done;
    },
    kill() {
      stopping.abort();
      if (child?.pid !== undefined) killGroup(child.pid);
    },
  };
}
