import { IntlMessageFormat } from "intl-messageformat";

interface Language {
  code: string;
  messages: Record<string, string>;
}

/** The parts of a parsed message that matter here; types as in @formatjs/icu-messageformat-parser. */
interface Part {
  type: number;
  value?: string;
  options?: Record<string, { value: Part[] }>;
  children?: Part[];
}
const [argument, select, plural, tag] = [1, 5, 6, 8];

interface Needs {
  /** Names of values and of tags. */
  names: Set<string>;
  /** The forms of each plural, in order. */
  plurals: string[][];
}

function readNeeds(
  parts: readonly Part[],
  needs: Needs = { names: new Set(), plurals: [] },
): Needs {
  for (const { type, value, options, children } of parts) {
    if (type >= argument && type <= plural && value !== undefined) needs.names.add(value);
    if (type === tag) needs.names.add(`<${value ?? ""}>`);
    if (type === plural) needs.plurals.push(Object.keys(options ?? {}));
    if (type === select || type === plural) {
      for (const option of Object.values(options ?? {})) readNeeds(option.value, needs);
    }
    if (children) readNeeds(children, needs);
  }
  return needs;
}

/** What an English message needs; null for one that is no ICU message. */
export function needsOf(text: string, code: string): Needs | null {
  try {
    return readNeeds(new IntlMessageFormat(text, code).getAst());
  } catch {
    return null;
  }
}

/** What is wrong with one message compared with the English one; empty: nothing. */
export function faultsOf(
  file: string,
  code: string,
  key: string,
  text: string,
  english: Needs | null,
): string[] {
  const at = `${file}: ${key}`;
  if (text.trim() === "") return [`${at} is empty`];
  let needs: Needs;
  try {
    needs = readNeeds(new IntlMessageFormat(text, code).getAst());
  } catch (error) {
    return [`${at} is no ICU message: ${error instanceof Error ? error.message : ""}`];
  }
  const faults: string[] = [];
  if (english) {
    for (const name of english.names) {
      if (!needs.names.has(name)) faults.push(`${at} leaves out ${name}`);
    }
    for (const name of needs.names) {
      if (!english.names.has(name)) faults.push(`${at} has ${name}, which English has not`);
    }
  }
  const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
  for (const forms of needs.plurals) {
    const missing = categories.filter((category) => !forms.includes(category));
    if (missing.length > 0) faults.push(`${at} lacks the plural ${missing.join(", ")}`);
  }
  return faults;
}

/** `a.${b}.c` in the code as the beginning and end of the keys it can name. */
const madeKeys = /`([a-z][\w.-]*\.|)\$\{[^`]*?\}([\w.-]*)(?:\$\{[^`]*\})?`/g;

/** Every fault in the languages, measured against English, and in what the code asks them for. */
export function findTextFaults(
  languages: readonly Language[],
  sources: readonly string[],
): string[] {
  const english = languages.find(({ code }) => code === "en")?.messages ?? {};
  const faults: string[] = [];
  for (const { code, messages } of languages) {
    for (const [key, original] of Object.entries(english)) {
      const text = messages[key];
      if (text === undefined) {
        faults.push(`${code}.json: ${key} is missing`);
        continue;
      }
      // One that is none has been reported for English itself.
      const needs = code === "en" ? null : needsOf(original, "en");
      faults.push(...faultsOf(`${code}.json`, code, key, text, needs));
    }
    for (const key of Object.keys(messages)) {
      if (!(key in english)) faults.push(`${code}.json: ${key} is unknown to en.json`);
    }
  }
  const code = sources.join("\n");
  const usedPatterns = [...code.matchAll(madeKeys)].map(([, start = "", end = ""]) => ({
    start,
    end,
  }));
  for (const key of Object.keys(english)) {
    const isUsed =
      code.includes(`"${key}"`) ||
      usedPatterns.some(({ start, end }) =>
        start === ""
          ? end !== "" && key.endsWith(end) && code.includes(`"${key.slice(0, -end.length)}"`)
          : key.startsWith(start) && key.endsWith(end),
      );
    if (!isUsed) faults.push(`en.json: ${key} is not used`);
  }
  return faults;
}
