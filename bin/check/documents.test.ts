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
