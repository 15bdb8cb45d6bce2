import { join } from "node:path";
import { promisify } from "node:util";

// Not imported: the bundler would look for the file that `execFile` names, and the build would fail.
const execFile = promisify(process.getBuiltinModule("node:child_process").execFile);

const largestProgram = 64 * 1024 * 1024;
const programs = new Map<string, Promise<string>>();

/**
 * A TypeScript module and everything it imports as one script in CommonJS, by its path from the folder the program runs
 * in. Node starts it in a third of the time that it takes with a loader for TypeScript, which counts where processes
 * are killed again and again. Made once, 0.2 s, and remembered. Throws what esbuild says where it cannot be made.
 */
export function programOf(file: string): Promise<string> {
  let program = programs.get(file);
  if (!program) {
    program = bundle(file);
    programs.set(file, program);
    // Tried again next time: the machine may have had no memory for it.
    program.catch(() => programs.delete(file));
  }
  return program;
}

/** By the command, which ends: the functions keep a service running in each program that called one. */
async function bundle(file: string): Promise<string> {
  const folder = process.cwd();
  const esbuild = join(/* turbopackIgnore: true */ folder, "node_modules/esbuild/bin/esbuild");
  const settings = ["--bundle", "--platform=node", "--format=cjs", "--target=node24"];
  const args = [...settings, "--minify-whitespace", "--log-level=error", file];
  const { stdout } = await execFile(esbuild, args, { cwd: folder, maxBuffer: largestProgram });
  return stdout;
}
