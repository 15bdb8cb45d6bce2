import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "@/bin/start/root";

interface Counts {
  passed: number;
  failed: number;
  /** What did not pass, by file and name: repeated at the very end, where one looks first. */
  faults: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: {
      fullName: string;
      status: string;
      /** Milliseconds; missing for a test that did not end. */
      duration?: number | null;
      failureMessages: string[] | null;
    }[];
  }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { title: string; file: string; ok: boolean }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  suites: PlaywrightSuite[];
}

const reports = join(root, "test-results");
/** What .ci/run summarises. */
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

/** The counts in a runner's JSON report; a runner that wrote no report, or broke off, failed once. */
function read<Report>(file: string, code: number, count: (report: Report) => Counts): Counts {
  let counts: Counts = { passed: 0, failed: 0, faults: [] };
  try {
    counts = count(JSON.parse(readFileSync(file, "utf8")) as Report);
  } catch {
    counts.faults.push("no report was written");
  }
  if (code === 0 && counts.faults.length === 0) return counts;
  if (counts.faults.length === 0) counts.faults.push(`exit code ${code} without a failed test`);
  return { ...counts, failed: Math.max(1, counts.failed) };
}

/** Vitest has the stack of a test or hook that timed out begin with a name of its own, not with the message. */
function firstLine(failure: string): string {
  const [line = "", where = ""] = failure.split("\n");
  return line.replace("Error: STACK_TRACE_ERROR", `timed out ${where.trim().split(" (")[0]}`);
}

function vitestCounts({ numPassedTests, numFailedTests, testResults }: VitestReport): Counts {
  const faults = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults
      // "pending": it had begun when its process ended.
      .filter(({ status }) => status === "failed" || status === "pending")
      .map(({ fullName, status, duration, failureMessages }) => {
        const lines = (failureMessages ?? []).map(firstLine).join(" · ") || status;
        return `${file} › ${fullName} (${Math.round(duration ?? 0)} ms): ${lines}`;
      });
    return tests.length === 0 && status === "failed" ? [file] : tests;
  });
  return { passed: numPassedTests, failed: numFailedTests, faults };
}

function playwrightFaults({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file} › ${title}`);
  return [...own, ...suites.flatMap(playwrightFaults)];
}

function playwrightCounts({ stats, suites }: PlaywrightReport): Counts {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    faults: suites.flatMap(playwrightFaults),
  };
}

/** Vitest: unit, database and contract tests. */
async function vitest(args: string[]): Promise<Counts> {
  const report = join(reports, "vitest.json");
  const code = await run(
    "vitest/vitest.mjs",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
    {},
  );
  return read(report, code, vitestCounts);
}

/** Playwright: journeys through the built product. */
async function playwright(args: string[]): Promise<Counts> {
  const report = join(reports, "playwright.json");
  const code = await run(
    "@playwright/test/cli.js",
    ["test", "--config=e2e/playwright.config.ts", ...args],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  return read(report, code, playwrightCounts);
}

const [runner, ...args] = process.argv.slice(2);
rmSync(reports, { recursive: true, force: true });
mkdirSync(dirname(countsFile), { recursive: true });
const total: Counts = { passed: 0, failed: 0, faults: [] };
for (const [name, start] of Object.entries({ vitest, playwright })) {
  if (runner && runner !== name) continue;
  const began = performance.now();
  const counts = await start(args);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.faults.push(...counts.faults);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed in ${seconds} s`);
}
writeFileSync(countsFile, JSON.stringify({ passed: total.passed, failed: total.failed }));
for (const fault of total.faults) console.log(`failed: ${fault}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
