import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import { findTextFaults } from "./text-faults";

/*
 * Every text of the recipients' pages and the system's mails exists in every language, with the values and
 * plural forms it needs, and is used; what the code asks for by name is there.
 */

const folder = join(root, "lib/ground/texts/languages");
const languages = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({
    code: name.slice(0, -".json".length),
    messages: JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, string>,
  }));

const sources = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "lib/*.ts", "lib/*.tsx"],
  { cwd: root, encoding: "utf8" },
)
  .split("\n")
  .filter((file) => file && !/\.test\.tsx?$/.test(file) && existsSync(join(root, file)))
  .map((file) => readFileSync(join(root, file), "utf8"));

const faults = findTextFaults(languages, sources);
for (const fault of faults) console.error(fault);
console.log(
  `${languages.length} languages of ${Object.keys(languages[0]?.messages ?? {}).length} texts`,
);
if (faults.length > 0 || languages.length < 5) process.exitCode = 1;
