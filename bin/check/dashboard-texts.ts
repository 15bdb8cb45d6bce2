import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/bin/start/root";
import { saidTexts } from "./said-texts";
import { faultsOf, needsOf } from "./text-faults";

/*
 * Every text that the dashboard says has its translation in each of the dashboard's languages, with the same values and
 * with the plural forms of its language; every translation is used, and stands once. With folders or files as
 * arguments it prints as JSON what is missing of the texts said there.
 */

const folder = join(root, "lib/ground/texts/dashboard");
const only = process.argv.slice(2);

const files = execFileSync(
  "git",
  [
    ...["ls-files", "--cached", "--others", "--exclude-standard"],
    ...["app", "components", "lib"].flatMap((top) => [`${top}/*.ts`, `${top}/*.tsx`]),
  ],
  { cwd: root, encoding: "utf8" },
)
  .split("\n")
  .filter(
    (file) => file && !/\.test\.tsx?$|^lib\/testing\//.test(file) && existsSync(join(root, file)),
  );
const read = files.map((file) => saidTexts(file, readFileSync(join(root, file), "utf8")));
const said = new Map(read.flatMap((one) => one.said).map((one) => [one.text, one]));
for (const one of read.flatMap(({ said }) => said)) {
  if (one.isMessage) said.set(one.text, one);
}
const faults = read.flatMap((one) => one.faults);

for (const language of readdirSync(folder)) {
  const translations = new Map<string, string>();
  for (const name of readdirSync(join(folder, language))) {
    const at = `${language}/${name}`;
    const area = JSON.parse(readFileSync(join(folder, at), "utf8")) as Record<string, string>;
    for (const [text, translation] of Object.entries(area)) {
      const english = said.get(text);
      if (translations.has(text)) faults.push(`${at}: stands twice: ${text}`);
      translations.set(text, translation);
      if (!english) faults.push(`${at}: is said nowhere: ${text}`);
      else if (english.isMessage) {
        faults.push(...faultsOf(at, language, text, translation, needsOf(text, "en")));
      } else if (translation.trim() === "") faults.push(`${at}: is empty: ${text}`);
    }
  }
  const missing = [...said.values()].filter(({ text }) => !translations.has(text));
  if (only.length > 0) {
    const asked = read
      .flatMap((one) => one.said)
      .filter(({ file }) => only.some((path) => file === path || file.startsWith(`${path}/`)));
    const texts = new Set(asked.map(({ text }) => text).filter((text) => !translations.has(text)));
    console.log(JSON.stringify(Object.fromEntries([...texts].map((text) => [text, ""])), null, 2));
  } else {
    for (const { text, file, line } of missing) {
      faults.push(`${file}:${line} is not in ${language}: ${text}`);
    }
  }
}
const relevant =
  only.length > 0 ? faults.filter((one) => only.some((path) => one.startsWith(path))) : faults;
for (const fault of relevant) console.error(fault);
if (only.length === 0) console.log(`${said.size} texts of the dashboard`);
if (relevant.length > 0) process.exitCode = 1;
