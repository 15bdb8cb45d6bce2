import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/bin/start/root";

const goodLines = 300;
const mostLines = 400;
/** A test file is a list: it may be longer, not endless. */
const mostTestLines = 500;
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);

const files = execFileSync(
  "git",
  [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "*.ts",
    "*.tsx",
    "*.css",
    "*.js",
    "*.cjs",
  ],
  { cwd: root, encoding: "utf8" },
)
  .split("\n")
  .filter((file) => file && existsSync(join(root, file)));

const lengths = files
  .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length - 1 }))
  .sort((one, other) => other.lines - one.lines);
for (const { file, lines } of lengths.filter((one) => one.lines > goodLines)) {
  const fails = lines > (isTest(file) ? mostTestLines : mostLines);
  if (fails) process.exitCode = 1;
  console.error(`${file}: ${lines} lines, ${fails ? "is two things" : "grows long"}`);
}
console.log(`${files.length} files, the longest has ${lengths[0]?.lines ?? 0} lines.`);
if (files.length === 0) process.exitCode = 1;
