import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** A program that is started again whenever it ends, until it is let go. */
export class Kept {
  readonly name: string;
  /** How often it ended without being let go. */
  deaths = 0;
  /** How often of these nobody killed it. */
  endedByItself = 0;
  #killed: ChildProcess | null = null;
  #child: ChildProcess | null = null;
  #serves = false;
  #down = false;
  readonly #start: () => ChildProcess;

  constructor(name: string, start: () => ChildProcess) {
    this.name = name;
    this.#start = start;
    this.#run();
  }

  #run(): void {
    const child = this.#start();
    this.#child = child;
    this.#serves = false;
    child.on("message", ({ type }: { type?: unknown }) => {
      if (type === "ready") this.#serves = true;
    });
    child.once("exit", () => {
      this.#child = null;
      if (this.#down) return;
      this.deaths++;
      if (this.#killed !== child) this.endedByItself++;
      setTimeout(() => {
        if (!this.#down && !this.#child) this.#run();
      }, 500);
    });
  }

  get running(): boolean {
    return this.#child !== null;
  }

  /** Whether the process of now has said that it serves, over the channel it was started with. */
  get serves(): boolean {
    return this.running && this.#serves;
  }

  /** The most memory that the process of now has had, in megabytes; null where the system does not say. */
  get mostMegabytes(): number | null {
    try {
      const status = readFileSync(`/proc/${this.#child?.pid}/status`, "utf8");
      return Math.round(Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1]) / 1024);
    } catch {
      return null;
    }
  }

  /** Resolves to its exit code when it has ended; null: by a signal, or it did not run. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    this.#killed = child;
    child.kill(signal);
    return ended;
  }

  /** Gone until `up`; resolves as `kill` does. */
  down(signal?: NodeJS.Signals): Promise<number | null> {
    this.#down = true;
    return this.kill(signal);
  }

  up(): void {
    this.#down = false;
    this.#run();
  }
}
