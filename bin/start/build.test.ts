import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isBuilt, sourceDigest } from "./build";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "lettermill-build-"));
  for (const folder of ["app", "components", "db", "emails", "lib", ".next"]) {
    mkdirSync(join(root, folder));
  }
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeFileSync(join(root, "app", "page.tsx"), "export default () => null;");
});
afterEach(() => rmSync(root, { recursive: true }));

function changes(file: string, content: string): boolean {
  const before = sourceDigest(root);
  writeFileSync(join(root, file), content);
  return sourceDigest(root) !== before;
}

test("a source, a dependency's version or a configuration that changes makes a build stale", () => {
  expect(changes("app/page.tsx", "export default () => 1;")).toBe(true);
  expect(changes("lib/new.ts", "")).toBe(true);
  expect(changes("package-lock.json", "{ }")).toBe(true);
  expect(changes("next.config.ts", "export default {};")).toBe(true);
});

test("tests and what does not go into the build leave it as it is", () => {
  expect(changes("lib/new.test.ts", "test")).toBe(false);
  expect(changes("README.md", "words")).toBe(false);
});

test("content that moves from one file to the next is a change", () => {
  writeFileSync(join(root, "lib", "a"), "xy");
  writeFileSync(join(root, "lib", "b"), "z");
  const before = sourceDigest(root);
  writeFileSync(join(root, "lib", "a"), "x");
  writeFileSync(join(root, "lib", "b"), "yz");
  expect(sourceDigest(root)).not.toBe(before);
});

test("a build stands for the sources it was made of alone", () => {
  expect(isBuilt(root)).toBe(false);
  const stamp = JSON.stringify({ digest: sourceDigest(root) });
  writeFileSync(join(root, ".next", "lettermill-build.json"), stamp);
  expect(isBuilt(root)).toBe(true);
  writeFileSync(join(root, "lib", "new.ts"), "");
  expect(isBuilt(root)).toBe(false);
});
