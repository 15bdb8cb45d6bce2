import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "@/bin/start/root";

const documents = globSync(["*.md", "docs/*.md", "docs/guide/*.md", "deploy/*.md"], { cwd: root });
const tests = new Set(
  globSync("{app,bin,components,db,lib}/**/*.test.{ts,tsx}", { cwd: root }).map((file) =>
    basename(file),
  ),
);
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test.each(documents)("%s leads to what is there", (file) => {
  const targets = [...textOf(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
    ([, target = ""]) => target,
  );
  const missing = targets.filter((target) => !existsSync(join(root, dirname(file), target)));
  expect(missing).toEqual([]);
});

test("SECURITY.md names tests that there are, and folders", () => {
  const named = [...textOf("SECURITY.md").matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name);
  const missing = named.filter((name) =>
    name.endsWith(".test.ts")
      ? !tests.has(name)
      : name.includes("/") && !existsSync(join(root, name)),
  );
  expect(missing).toEqual([]);
  expect(named.filter((name) => name.endsWith(".test.ts")).length).toBeGreaterThan(10);
});

const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
const commandLine = globSync("bin/lettermill{.ts,/*.ts}", { cwd: root }).map(textOf).join("\n");
const commands = new Set(
  [...commandLine.matchAll(/\.command\("([\w-]+)/g)].map(([, name = ""]) => name),
);

/** Commands that only hold others. */
const groups = new Set(
  [...commandLine.matchAll(/program\.command\("([\w-]+)"\)\.description/g)].map(
    ([, name = ""]) => name,
  ),
);

test.each(documents)("%s names scripts and commands that there are", (file) => {
  const text = textOf(file);
  const run = [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
  expect(run.filter((name) => !(name in scripts))).toEqual([]);
  const called = [...text.matchAll(/\blettermill -- ([a-z][\w-]*)(?: ([a-z][\w-]*))?/g)]
    .filter(([, name]) => name !== "npm")
    // The second word is a command of its own, or the first one's argument.
    .flatMap(([, name = "", next]) => [name, ...(next && groups.has(name) ? [next] : [])]);
  expect(called.filter((name) => !commands.has(name))).toEqual([]);
});

const floors = ["doors", "engine", "domain", "mail", "ground"];
const floorTable = textOf("docs/architecture.md")
  .split("\n")
  .filter((line) => line.startsWith("| "));

test.each(floors)(
  "docs/architecture.md names each folder of lib/%s, and none that is gone",
  (floor) => {
    const rows = floorTable.slice(
      floorTable.findIndex((line) => line.startsWith(`| **${floor}** |`)),
    );
    const end = rows.findIndex((line, index) => index > 0 && !line.startsWith("| | "));
    const named = [
      ...rows
        .slice(0, end)
        .join("\n")
        .matchAll(/`([\w-]+(?:\/[\w-]+)?)`/g),
    ];
    const names = named.map(([, name = ""]) => name);
    const home = join(root, "lib", floor);
    const folders = globSync("**", { cwd: home, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
      .filter((folder) => folder !== "");
    const top = folders.filter((folder) =>
      floor === "doors"
        ? folder.split("/").length === 2 || folder === "smtp"
        : !folder.includes("/"),
    );
    expect(top.filter((folder) => !names.includes(folder))).toEqual([]);
    const gone = names.filter(
      (name) => !folders.some((folder) => `/${folder}`.endsWith(`/${name}`)),
    );
    expect(gone).toEqual([]);
  },
);

test("decision records have a number of their own, and the same parts", () => {
  const records = globSync("docs/decisions/[0-9]*.md", { cwd: root });
  const numbers = records.map((file) => basename(file).slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  const headings = /^# (\d+)\. .+\n\nDate: \d{4}-\d\d-\d\d\n\n## Context\n[^]+\n## Decision\n/;
  const others = records.filter(
    (file) => headings.exec(textOf(file))?.[1]?.padStart(4, "0") !== basename(file).slice(0, 4),
  );
  expect(others).toEqual([]);
  expect(records.length).toBeGreaterThan(50);
});
