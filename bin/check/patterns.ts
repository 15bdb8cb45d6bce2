import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import ts from "typescript";
import { root } from "@/bin/start/root";

/*
 * Every pattern of the product takes time in proportion to the text it meets. One that backtracks over the
 * same blanks twice is at least quadratic: 100 kB of them, sent by anybody, stop a process for a minute.
 */

interface Pattern {
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** Patterns that are not linear and need not be: as written in the code, with the reason. */
const bounded = new Map<string, string>([
  [String.raw`/\/+$/`, "reads a setting"],
  [String.raw`/^\/+|\/+$/g`, "reads a setting"],
]);

/** A pattern made at run time cannot be checked here: file, and what it is made of. */
const madeAtRunTime = new Map<string, string>([
  ["lib/mail/content/rewrite-html.ts", "an element's name between literals"],
  ["lib/domain/segments/condition-schema.ts", "constants"],
  ["lib/doors/http/surface/surface.ts", "our own paths"],
]);

const checkedFiles = /^(app|components|db|emails|lib)\/.*\.tsx?$|^bin\/web/;
const unchecked = /\.test\.tsx?$|^(db|lib)\/testing\/|^lib\/doors\/http\/contract\//;

function patternsIn(file: string, text: string): { patterns: Pattern[]; made: string[] } {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const patterns: Pattern[] = [];
  const builtAtRunTime: string[] = [];
  const add = (node: ts.Node, source: string, flags: string) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    patterns.push({ file, line: line + 1, source, flags });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === "RegExp"
    ) {
      const [source, flags] = node.arguments ?? [];
      if (source && ts.isStringLiteralLike(source)) {
        add(node, source.text, flags && ts.isStringLiteralLike(flags) ? flags.text : "");
      } else builtAtRunTime.push(file);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { patterns, made: builtAtRunTime };
}

/** What is wrong with a pattern; null when its time is linear. */
function faultOf({ source, flags }: Pattern): string | null {
  // A sticky pattern looks in one place, as an anchored one does.
  const anchored = flags.includes("y") ? `^(?:${source})` : source;
  const result = checkSync(anchored, flags.replace(/[gdy]/g, ""), { timeout: 20_000 });
  if (result.status === "safe") return null;
  return result.status === "vulnerable"
    ? result.complexity.summary
    : `unknown (${result.error.kind})`;
}

/** Patterns that the check must refuse, or it proves nothing. */
const planted = ["\\s+$", "(a+)+b", "\\s*[^<>]*?\\s*<", "^[\\d\\s]*\\d[\\d\\s]*$"];

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter(
    (file) => checkedFiles.test(file) && !unchecked.test(file) && existsSync(join(root, file)),
  );

const scanned = files.map((file) => patternsIn(file, readFileSync(join(root, file), "utf8")));
const patterns = scanned.flatMap((one) => one.patterns);
const faults: string[] = [];
const verdicts = new Map<string, string | null>();
for (const pattern of patterns) {
  const key = `/${pattern.source}/${pattern.flags}`;
  if (bounded.has(key)) continue;
  const verdict = verdicts.has(key) ? (verdicts.get(key) ?? null) : faultOf(pattern);
  verdicts.set(key, verdict);
  if (verdict !== null) faults.push(`${pattern.file}:${pattern.line}: ${key} is ${verdict}.`);
}
for (const file of scanned.flatMap((one) => one.made)) {
  if (!madeAtRunTime.has(file)) faults.push(`${file} makes a pattern at run time.`);
}
const literals = new Set(patterns.map(({ source, flags }) => `/${source}/${flags}`));
for (const key of bounded.keys()) {
  if (!literals.has(key)) faults.push(`The exception for ${key} is not needed any more.`);
}
for (const source of planted) {
  if (faultOf({ file: "", line: 0, source, flags: "" }) === null) {
    faults.push(`The check let the planted pattern /${source}/ through.`);
  }
}
for (const fault of faults) console.error(fault);
console.log(
  `${patterns.length} patterns in ${files.length} files, ${planted.length} planted ones refused.`,
);
if (faults.length > 0 || patterns.length < 50) process.exitCode = 1;
