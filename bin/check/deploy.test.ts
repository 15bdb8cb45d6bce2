import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "@/bin/start/root";

const folder = join(root, "deploy");
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(?:json|md)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));
const textOf = (file: string) => readFileSync(file, "utf8");
const named = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

const documented = new Set(named(textOf(join(root, "docs/configuration.md")), /`([A-Z][A-Z_]+)`/g));
/** What others than us read. */
const foreign = new Set([
  "NEXT_TELEMETRY_DISABLED",
  "POSTGRES_USER",
  "POSTGRES_DB",
  "POSTGRES_PASSWORD",
  "DOMAIN",
  "CMD",
]);

test.each(files)("%s sets what there is, and starts what there is", (file) => {
  const text = textOf(file);
  const settings = named(text, /^\s*(?:ENV |Environment=)?([A-Z][A-Z_]{2,})[=:]/gm);
  const unknown = settings.filter((name) => !documented.has(name) && !foreign.has(name));
  expect(unknown).toEqual([]);
  for (const program of named(text, /\b(bin\/[\w-]+\.ts)\b/g)) {
    expect(existsSync(join(root, program))).toBe(true);
  }
});

test("all of them are looked at, and each names settings or programs", () => {
  expect(files.length).toBeGreaterThan(10);
  const all = files.map(textOf).join("\n");
  for (const name of ["web", "worker", "smtp", "lettermill"])
    expect(all).toContain(`bin/${name}.ts`);
});

test("a worker gets as long to stop as a mail server may take to answer", () => {
  for (const [file, line] of [
    ["compose.yaml", "stop_grace_period: 680s"],
    ["systemd/lettermill-worker@.service", "TimeoutStopSec=680"],
    ["kubernetes/lettermill.yaml", "terminationGracePeriodSeconds: 680"],
  ] as const) {
    expect(textOf(join(folder, file))).toContain(line);
  }
});

test("the image is built from the runtime that package.json names, and runs as nobody of importance", () => {
  const { dependencies } = JSON.parse(textOf(join(root, "package.json"))) as {
    dependencies: { node: string };
  };
  const dockerfile = textOf(join(folder, "Dockerfile"));
  const bases = named(dockerfile, /^FROM node:(\d+)-/gm);
  expect(new Set(bases)).toEqual(new Set([dependencies.node.split(".")[0]]));
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
});

// npm 11 takes a lock file in which an optional peer has another version than asked for; 9 and 10 refuse it.
test("the lock file is one that every npm installs from, Debian's and Node 20's too", () => {
  const { stderr, status } = spawnSync("npm", ["ls", "--all", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).not.toMatch(/^npm (?:error|ERR!) (?:invalid|missing)/m);
  expect(status).toBe(0);
}, 60_000);
