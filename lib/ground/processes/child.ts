import type { ChildProcess } from "node:child_process";
import { programOf } from "./program";

// Not imported: the bundler would look for the module that `fork` names, and the build would fail.
const { fork } = process.getBuiltinModule("node:child_process");

export interface Child {
  process: ChildProcess;
  /** The end of what it wrote to standard error. */
  lastWords: string;
}

const longestLastWords = 4_000;

/** Starts a module, by its path from the folder the program runs in, with a bounded heap. */
export function startChild(file: string, memoryMegabytes: number): Child {
  const { NODE_ENV, PATH, TZ } = process.env;
  const started = fork("-", {
    // It runs what users wrote, and needs no files, no programs, no threads, and no secrets of the environment.
    execArgv: ["--permission", "--input-type=commonjs", `--max-old-space-size=${memoryMegabytes}`],
    env: { NODE_ENV, PATH, TZ },
    serialization: "advanced",
    stdio: ["pipe", "ignore", "pipe", "ipc"],
  });
  const child: Child = { process: started, lastWords: "" };
  started.stderr?.setEncoding("utf8").on("data", (words: string) => {
    child.lastWords = (child.lastWords + words).slice(-longestLastWords);
  });
  // A process that is gone makes itself known by its "exit".
  started.stdin?.on("error", () => undefined);
  programOf(file).then(
    (program) => started.stdin?.end(program),
    (error: unknown) => {
      child.lastWords = String(error).slice(-longestLastWords);
      started.kill();
    },
  );
  return child;
}

/** Whether this program stays for as long as the child does. */
export function keepAlive({ process: child }: Child, keep: boolean): void {
  // Typed as a stream, which cannot be unreferenced, but it is a socket.
  const stderr = child.stderr as NodeJS.RefCounted | null;
  for (const handle of [child, child.channel, stderr]) {
    if (keep) handle?.ref();
    else handle?.unref();
  }
}

/** Whether it was memory that ended the child: V8's limit, or the kernel when the machine has none left. */
export function ranOutOfMemory({ process: child, lastWords }: Child): boolean {
  return child.signalCode === "SIGKILL" || lastWords.includes("heap out of memory");
}
