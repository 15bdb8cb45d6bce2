import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { root } from "@/bin/start/root";

interface Check {
  name: string;
  /** A script of an installed package, or one of ours, with its arguments. */
  command: [script: string, ...args: string[]];
}

const own = (file: string): Check["command"] => [join(root, "bin", "check", file)];
const installed = (name: string, script: string) => {
  const resolved = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = resolved.map((path) => join(path, name)).find((path) => existsSync(path));
  return join(folder ?? dirname(root), script);
};

/** The longest first, so that the others run alongside it. */
const checks: Check[] = [
  { name: "lint by types", command: [installed("oxlint", "bin/oxlint"), "--deny-warnings"] },
  { name: "lint", command: [installed("eslint", "bin/eslint.js"), ".", "--max-warnings=0"] },
  {
    name: "types",
    command: [installed("typescript-native", "bin/tsc"), "--noEmit", "--pretty", "false"],
  },
  { name: "unused code", command: [installed("knip", "bin/knip.js"), "--no-progress"] },
  { name: "boundaries", command: own("boundaries.ts") },
  { name: "openapi", command: own("openapi.ts") },
  { name: "migrations", command: own("migrations.ts") },
  { name: "format", command: [installed("oxfmt", "bin/oxfmt"), "--check"] },
  { name: "patterns", command: own("patterns.ts") },
  { name: "length", command: own("length.ts") },
  { name: "texts", command: own("texts.ts") },
  { name: "dashboard texts", command: own("dashboard-texts.ts") },
  { name: "columns", command: own("columns.ts") },
];

/** Resolves with the exit code; never rejects. */
function run(script: string, args: string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const loader = script.endsWith(".ts") ? ["--import", "tsx"] : [];
    const child = spawn(process.execPath, [...loader, script, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("error", (error) => (text += error.message));
    child.on("close", (code) => resolve({ code: code ?? 1, text: text.trim() }));
  });
}

const wanted = process.argv.slice(2);
const chosen = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0) {
  console.error(`There is no such check: ${wanted.join(", ")}.`);
  process.exit(1);
}
const began = performance.now();
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);
// Next writes the types of routes and of imports that are not code.
const typegen = await run(installed("next", "dist/bin/next"), ["typegen"]);
if (typegen.code !== 0) console.error(typegen.text);

const queue = [...chosen];
let failed = typegen.code === 0 ? 0 : 1;
async function worker(): Promise<void> {
  for (let check = queue.shift(); check; check = queue.shift()) {
    const start = performance.now();
    const [script, ...args] = check.command;
    const { code, text } = await run(script, args);
    if (code !== 0) failed++;
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${check.name} (${seconds(start)} s)`);
    if (text) console.log(text.replace(/^/gm, "       "));
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
console.log(`${chosen.length - failed} checks passed, ${failed} failed, ${seconds(began)} s`);
process.exit(failed === 0 ? 0 : 1);
