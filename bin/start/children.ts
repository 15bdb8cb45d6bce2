import { spawn } from "node:child_process";
import { existsSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import type { ProgramName } from "@/bin/program";
import { root } from "./root";
import { supervise, type Supervised } from "./supervisor";
import { warn } from "./terminal";

/** Longer than what the programs give their own requests and mails under way. */
const graceSeconds = 15;

/**
 * Node gives the young generation more the more memory a machine has, and never gives it back: that was half
 * of what a worker held (337 MB against 190). npm scripts that start one say the same.
 */
export const lean = "--max-semi-space-size=16";

/** Starts one of the programs, supervised: `bin/<name>.ts` in a process group of its own. */
export function superviseProgram(name: ProgramName): Supervised {
  const tsx = import.meta.resolve("tsx");
  return supervise({
    name,
    graceSeconds,
    start: () =>
      spawn(
        process.execPath,
        [...(name === "web" ? [] : [lean]), "--import", tsx, join(root, "bin", `${name}.ts`)],
        { cwd: root, detached: true, stdio: ["ignore", "inherit", "inherit", "ipc"] },
      ),
    onEnd: (ending, seconds) =>
      warn(`The ${name} program ${ending}; it is started again in ${seconds} s.`),
  });
}

/** The programs there are, in the order in which they are started. */
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
