import { join } from "node:path";
import { promisify } from "node:util";
import { SharedReading } from "@/lib/ground/shared-reading";

// Not imported: the bundler would look for the file that `execFile` names, and the build would fail.
const execFile = promisify(process.getBuiltinModule("node:child_process").execFile);

const largestProgram = 64 * 1024 * 1024;
/** A program has one or two modules that run in processes. */
const programs = new SharedReading<Buffer>({ max: 10 });

/**
 * A TypeScript module and everything it imports as one script in CommonJS, by its path from the folder the program runs
 * in. Node starts it in a third of the time that it takes with a loader for TypeScript, which counts where processes
 * are killed again and again. Made once, 0.2 s, and remembered. Throws what esbuild says where it cannot be made.
 */
export const programOf = (file: string): Promise<Buffer> => programs.of(file, () => bundle(file));

/** By the command, which ends: the functions keep a service running in each program that called one. */
async function bundle(file: string): Promise<Buffer> {
  const cwd = process.cwd();
  const esbuild = join(/* turbopackIgnore: true */ cwd, "node_modules/esbuild/bin/esbuild");
  const settings = ["--bundle", "--platform=node", "--format=cjs", "--target=node24"];
  const args = [...settings, "--minify-whitespace", "--log-level=error", file];
  const options = { cwd, encoding: "buffer", maxBuffer: largestProgram } as const;
  const { stdout } = await execFile(esbuild, args, options);
  return stdout;
}
