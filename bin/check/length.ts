import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import { statementsOf } from "./statements";

const goodLines = 300;
const mostLines = 400;
/** A longer statement is put together from named fragments. */
const mostStatementLines = 60;

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

const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
const lengths = texts
  .map(({ file, text }) => ({ file, lines: text.split("\n").length - 1 }))
  .sort((one, other) => other.lines - one.lines);
for (const { file, lines } of lengths.filter((one) => one.lines > goodLines)) {
  const fails = lines > mostLines;
  if (fails) process.exitCode = 1;
  console.error(`${file}: ${lines} lines, ${fails ? "is two things" : "grows long"}`);
}

const statements = texts
  .filter(({ file, text }) => /\.tsx?$/.test(file) && text.includes("sql"))
  .flatMap(({ file, text }) => statementsOf(file, text).map((one) => ({ file, ...one })))
  .sort((one, other) => other.lines - one.lines);
for (const { file, line, lines } of statements.filter((one) => one.lines > mostStatementLines)) {
  process.exitCode = 1;
  console.error(`${file}:${line}: a statement of ${lines} lines is put together from fragments`);
}
console.log(
  `${files.length} files, the longest has ${lengths[0]?.lines ?? 0} lines; ` +
    `${statements.length} statements, the longest has ${statements[0]?.lines ?? 0}.`,
);
if (files.length === 0 || statements.length === 0) process.exitCode = 1;
