import { spawn } from "node:child_process";
import { existsSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { env } from "@/lib/ground/env/env";
import type { ProgramName } from "@/bin/program";
import { root } from "./root";
import { supervise, type Supervised } from "./supervisor";
import { warn } from "./terminal";

/** Longer than the programs allow what is in progress; a mail server may answer after ten minutes. */
const graceSeconds: Record<ProgramName, number> = { web: 15, smtp: 15, worker: 680 };
/** Longer than any of the programs may keep its event loop to itself. */
const silenceSeconds = 30;

/**
 * Node sizes the young generation by the machine's memory and never gives it back: that was half
 * of what a worker held (337 MB against 190). The npm scripts pass the same option.
 */
export const lean = "--max-semi-space-size=16";

/** Programs of one launcher stand on one machine: each is watched at a port of its own, from METRICS_PORT on. */
function metricsPort(index: number): Record<string, string> {
  const { METRICS_PORT: first } = env();
  return first ? { METRICS_PORT: String(first + index) } : {};
}

/**
 * Starts one of the programs, supervised: `bin/<name>.ts` in a process group of its own. `index`: its place
 * among them.
 */
export function superviseProgram(name: ProgramName, index: number): Supervised {
  const tsx = import.meta.resolve("tsx");
  return supervise({
    name,
    graceSeconds: graceSeconds[name],
    silenceSeconds,
    start: () =>
      spawn(
        process.execPath,
        [...(name === "web" ? [] : [lean]), "--import", tsx, join(root, "bin", `${name}.ts`)],
        {
          cwd: root,
          detached: true,
          stdio: ["ignore", "inherit", "inherit", "ipc"],
          env: { ...process.env, ...metricsPort(index) },
        },
      ),
    onEnd: (ending, seconds) =>
      warn(`The ${name} program ${ending}; it is started again in ${seconds} s.`),
  });
}

/** The programs, in the order in which they start. */
export function programNames(): ProgramName[] {
  const names: ProgramName[] = ["web", "worker", "smtp"];
  return names.filter((name) => existsSync(join(root, "bin", `${name}.ts`)));
}

/** Restarts programs when the sources they run from change. Next reloads the web's by itself. */
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
