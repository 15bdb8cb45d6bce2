import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "./t";
import { acceptedLanguages } from "./texts";

/** The dashboard's languages beside English: a folder each, with a file for each area of the dashboard. */
const folder = "lib/ground/texts/dashboard";

interface Language extends Catalogue {
  /** What the browser runs before everything else, and where it lies. */
  script: string;
  scriptPath: string;
}

// Read from where the product runs, as its programs' files are: the pages' bundle holds no files of ours.
function readCatalogues(): Map<string, Language> {
  const directory = join(/* turbopackIgnore: true */ process.cwd(), folder);
  return new Map(
    readdirSync(directory).map((language) => {
      const areas = readdirSync(join(directory, language))
        .sort()
        .map((name) => JSON.parse(readFileSync(join(directory, language, name), "utf8")) as object);
      const messages = Object.assign({}, ...areas) as Record<string, string>;
      const literal = JSON.stringify(JSON.stringify({ language, messages }));
      const script = `{const c=JSON.parse(${literal});globalThis.lettermillCatalogue=()=>c}`;
      const hash = createHash("sha256").update(script).digest("hex").slice(0, 12);
      const scriptPath = `/texts/${language}.${hash}.js`;
      return [language, { language, messages, script, scriptPath }];
    }),
  );
}

let read: Map<string, Language> | undefined;
const catalogues = () => (read ??= readCatalogues());

/** A language's catalogue; null for English and for a language that there is none of. */
export const catalogueOf = (language: string): Language | null =>
  catalogues().get(language) ?? null;

/** The language of somebody's dashboard: what they chose (a code), else what their browser asks for. */
export function dashboardLanguage(
  chosen: string | undefined,
  acceptLanguage: string | undefined,
): string {
  const has = (code: string) => code === "en" || catalogues().has(code);
  if (chosen && has(chosen)) return chosen;
  const asked = acceptedLanguages(acceptLanguage).map((code) => code.split("-")[0] ?? "");
  return asked.find(has) ?? "en";
}

const resolved = new Map<string, string | null>();
/** What others send is remembered, but not without end. */
const mostResolved = 1_000;

/** The locale of those that there are which a tag stands for, without wishes such as a calendar; null: it is no tag. */
function resolve(tag: string): string | null {
  try {
    const { language, region } = new Intl.Locale(tag);
    return new Intl.NumberFormat(region ? `${language}-${region}` : language).resolvedOptions()
      .locale;
  } catch {
    return null;
  }
}

/** The locale in which somebody's browser asks for the language; null: it names none. */
export function localeOf(language: string, acceptLanguage: string | undefined): string | null {
  const tag = acceptedLanguages(acceptLanguage).find(
    (code) => code.split("-")[0]?.toLowerCase() === language,
  );
  if (tag === undefined) return null;
  let locale = resolved.get(tag);
  if (locale === undefined) {
    if (resolved.size >= mostResolved) resolved.clear();
    resolved.set(tag, (locale = resolve(tag)));
  }
  return locale;
}
