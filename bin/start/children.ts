import { spawn } from "node:child_process";
import { existsSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { env } from "@/lib/ground/env/env";
import type { ProgramName } from "@/bin/program";
import { root } from "./root";
import { supervise, type Supervised } from "./supervisor";
import { warn } from "./terminal";

/** Longer than programs allow for work in progress; a mail server may answer after ten minutes. */
export const graceSeconds: Record<ProgramName, number> = { web: 15, smtp: 15, worker: 680 };
/** Longer than any program may block its event loop. */
const silenceSeconds = 30;

/**
 * Node sizes the young generation by the machine's memory and never gives it back: it was half of
 * what a worker held (337 MB against 190). The npm scripts pass the same option.
 */
export const lean = "--max-semi-space-size=16";

/** Where Node keeps what it has compiled, for the next start; where it cannot write, it does without. */
const compiled = join(root, "node_modules/.cache/lettermill-compiled");

/**
 * A launcher's programs share a machine, so each serves its metrics on its own port, from METRICS_PORT on.
 */
function metricsPort(index: number): Record<string, string> {
  const { METRICS_PORT: first } = env();
  return first ? { METRICS_PORT: String(first + index) } : {};
}

/** One process of a program. */
export interface ProgramProcess {
  program: ProgramName;
  /** What the terminal calls it. */
  name: string;
  /** Its position among all. */
  index: number;
}

/** Starts a process, supervised: `bin/<program>.ts` in a process group of its own. */
export function superviseProgram({ program, name, index }: ProgramProcess): Supervised {
  const tsx = import.meta.resolve("tsx");
  return supervise({
    program,
    name,
    graceSeconds: graceSeconds[program],
    silenceSeconds,
    start: () =>
      spawn(
        process.execPath,
        [...(program === "web" ? [] : [lean]), "--import", tsx, join(root, "bin", `${program}.ts`)],
        {
          cwd: root,
          detached: true,
          stdio: ["ignore", "inherit", "inherit", "ipc"],
          env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...metricsPort(index) },
        },
      ),
    onEnd: (ending, seconds) =>
      warn(`The ${name} program ${ending}; it is started again in ${seconds} s.`),
  });
}

/** The processes of all programs, in the order in which they start. */
export function programProcesses(counts: Record<ProgramName, number>): ProgramProcess[] {
  const programs: ProgramName[] = ["web", "worker", "smtp"];
  return programs
    .filter((program) => existsSync(join(root, "bin", `${program}.ts`)))
    .flatMap((program) =>
      Array.from({ length: counts[program] }, (_, place) => ({
        program,
        name: counts[program] === 1 ? program : `${program} ${place + 1}`,
      })),
    )
    .map((one, index) => ({ ...one, index }));
}

/** Restarts programs when the sources they run from change. Next reloads the web program itself. */
export function restartOnChange(programs: Supervised[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const changed = (file: string | null) => {
    if (file && (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file))) return;
    clearTimeout(timer);
    // An editor or a checkout changes several files at once.
    timer = setTimeout(() => programs.forEach((program) => program.restart()), 200);
  };
  const watchers: FSWatcher[] = ["bin", "db", "emails", "lib"].map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, file) => changed(file)),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
