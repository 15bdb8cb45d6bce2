import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import type english from "./languages/en.json";

/*
 * Every word that recipients read, and every word of the system's own mails, as ICU messages. A language is
 * one file in languages/, named by its BCP 47 code; en.json is the one that the others are measured against.
 */

export type TextKey = keyof typeof english;
export type Messages = Record<TextKey, string>;
type Value = string | number;

/** The words of one language. */
export interface Texts {
  /** BCP 47. */
  language: string;
  dir: "ltr" | "rtl";
  /** A text as it is; the caller escapes it. */
  text: (key: TextKey, values?: Record<string, Value>) => string;
  /** A text in pieces: what is between <b> and </b> becomes what `bold` makes of it. */
  rich: <Piece>(
    key: TextKey,
    values: Record<string, Value>,
    bold: (words: string) => Piece,
  ) => (string | Piece)[];
  /** A day, in words. */
  date: (time: Date) => string;
}

export const fallbackLanguage = "en";

/** The languages written from right to left that a message could come in. */
const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);

const primary = (code: string) => code.split("-", 1)[0]?.toLowerCase() ?? "";

/** Makes the words of a language from its messages. */
export function makeTexts(language: string, messages: Messages): Texts {
  const compiled = new Map<TextKey, IntlMessageFormat>();
  const messageOf = (key: TextKey) => {
    let message = compiled.get(key);
    if (!message) {
      message = new IntlMessageFormat(messages[key], language);
      compiled.set(key, message);
    }
    return message;
  };
  const days = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  return {
    language,
    date: (time) => days.format(time),
    dir: rightToLeft.has(primary(language)) ? "rtl" : "ltr",
    text: (key, values = {}) => String(messageOf(key).format(values)),
    rich: (key, values, bold) => {
      const b = (words: unknown[]) => bold(words.join(""));
      return [messageOf(key).format({ ...values, b } as never)].flat() as never;
    },
  };
}

const folder = "lib/ground/texts/languages";

// Read from where the product runs, as its programs' files are: the pages' bundle holds no files of ours.
function readLanguages(): Map<string, Texts> {
  const directory = join(/* turbopackIgnore: true */ process.cwd(), folder);
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return new Map(
    files.sort().map((name) => {
      const code = name.slice(0, -".json".length);
      return [
        code,
        makeTexts(code, JSON.parse(readFileSync(join(directory, name), "utf8")) as Messages),
      ];
    }),
  );
}

let languages: Map<string, Texts> | undefined;
const allLanguages = () => (languages ??= readLanguages());

/** The languages there are, by their own names, in the order of their codes. */
export function listLanguages(): { code: string; name: string }[] {
  return [...allLanguages()].map(([code, texts]) => ({ code, name: texts.text("language.name") }));
}

/** The code of the language that a code asks for, even one with a region (de-AT); null: there is none. */
export function matchLanguage(code: string | null | undefined): string | null {
  if (!code) return null;
  const wanted = code.toLowerCase().replaceAll("_", "-");
  const codes = [...allLanguages().keys()];
  return (
    codes.find((one) => one.toLowerCase() === wanted) ??
    codes.find((one) => one.toLowerCase() === primary(wanted)) ??
    null
  );
}

/** The first of the codes that there is a language for; English when there is none. */
export function textsFor(...codes: readonly (string | null | undefined)[]): Texts {
  for (const code of codes) {
    const texts = allLanguages().get(matchLanguage(code) ?? "");
    if (texts) return texts;
  }
  const texts = allLanguages().get(fallbackLanguage);
  if (!texts) throw new Error("There is no English among the languages.");
  return texts;
}

const mostAccepted = 20;

/** The languages of an Accept-Language header (RFC 9110, 12.5.4), the most wanted first. */
export function acceptedLanguages(header: string | null | undefined): string[] {
  return (header ?? "")
    .slice(0, 1_000)
    .split(",", mostAccepted)
    .map((item) => {
      const [code = "", ...parameters] = item.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { code, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
    })
    .filter(({ code, quality }) => quality > 0 && /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/i.test(code))
    .sort((left, right) => right.quality - left.quality)
    .map(({ code }) => code);
}

/** The language a contact's data names (`language`, else `locale`); null: none. */
export function languageIn(data: Record<string, unknown> | null | undefined): string | null {
  for (const value of [data?.["language"], data?.["locale"]]) {
    if (typeof value === "string" && value.length <= 35 && matchLanguage(value)) return value;
  }
  return null;
}
