import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@/bin/start/root";

interface Counts {
  passed: number;
  failed: number;
}

const reports = join(root, "test-results");
/** What .ci/run sums up. */
const countsFile = join(reports, "counts.json");

function run(script: string, args: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, "node_modules", script), ...args], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
    });
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** The counts in a runner's JSON report; a runner that wrote no report failed once. */
function read<Report>(file: string, count: (report: Report) => Counts): Counts {
  try {
    return count(JSON.parse(readFileSync(file, "utf8")) as Report);
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Vitest: unit, database and contract tests. */
async function vitest(args: string[]): Promise<Counts> {
  const report = join(reports, "vitest.json");
  const code = await run(
    "vitest/vitest.mjs",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
    {},
  );
  const counts = read(report, (vitest: { numPassedTests: number; numFailedTests: number }) => ({
    passed: vitest.numPassedTests,
    failed: vitest.numFailedTests,
  }));
  return code === 0 ? counts : { ...counts, failed: Math.max(1, counts.failed) };
}

/** Playwright: journeys through the built product. */
async function playwright(args: string[]): Promise<Counts> {
  const report = join(reports, "playwright.json");
  const code = await run(
    "@playwright/test/cli.js",
    ["test", "--config=e2e/playwright.config.ts", ...args],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const counts = read(
    report,
    ({ stats }: { stats: { expected: number; unexpected: number; flaky: number } }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
    }),
  );
  return code === 0 ? counts : { ...counts, failed: Math.max(1, counts.failed) };
}

const [runner, ...args] = process.argv.slice(2);
rmSync(reports, { recursive: true, force: true });
mkdirSync(dirname(countsFile), { recursive: true });
const total: Counts = { passed: 0, failed: 0 };
for (const [name, start] of Object.entries({ vitest, playwright })) {
  if (runner && runner !== name) continue;
  const began = performance.now();
  const counts = await start(args);
  total.passed += counts.passed;
  total.failed += counts.failed;
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed in ${seconds} s`);
}
writeFileSync(countsFile, JSON.stringify(total));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
