import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hintScripts } from "./compile-hints";

test("every script below the folder says once that all of it is called, and nothing else does", async () => {
  const root = mkdtempSync(join(tmpdir(), "lettermill-hints-"));
  try {
    mkdirSync(join(root, "chunks"));
    writeFileSync(join(root, "chunks", "tea.js"), "const tea = 'öolong';");
    writeFileSync(join(root, "chunks", "tea.css"), "a{}");
    await hintScripts(root);
    await hintScripts(root);
    expect(readFileSync(join(root, "chunks", "tea.js"), "utf8")).toBe(
      "//# allFunctionsCalledOnLoad\nconst tea = 'öolong';",
    );
    expect(readFileSync(join(root, "chunks", "tea.css"), "utf8")).toBe("a{}");
  } finally {
    rmSync(root, { recursive: true });
  }
});
