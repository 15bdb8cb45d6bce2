import { IntlMessageFormat } from "intl-messageformat";

/*
 * The dashboard's texts. They stand where they are used, in English, and are looked up there in the catalogue of the
 * reader's language: who that is, the server knows for each request and the browser for the whole page. Texts with
 * values are ICU messages; those without are taken as they stand.
 */

/** The dashboard's texts in one language. */
export interface Catalogue {
  /** BCP 47. */
  language: string;
  /** By the English text. */
  messages: Readonly<Record<string, string>>;
}

/** Null and undefined are written as nothing. */
type Value = string | number | null | undefined;

declare global {
  // One for all bundles that hold this module. The reader's catalogue; absent or null: English.
  var lettermillCatalogue: (() => Catalogue | null) | undefined;
  // On the server: the locale of the reader's browser; null or absent: none is known.
  var lettermillLocale: (() => string | null) | undefined;
}

const english: Catalogue = { language: "en", messages: {} };
const catalogue = (): Catalogue => globalThis.lettermillCatalogue?.() ?? english;

/** The language that the reader reads, as a BCP 47 code. */
export const currentLanguage = () => catalogue().language;

const usual = (language: string) => (language === "en" ? "en-GB" : language);
const knownLocale = () =>
  typeof document === "undefined"
    ? globalThis.lettermillLocale?.()
    : document.documentElement.lang || null;

/**
 * How the reader's browser writes dates and numbers, as a BCP 47 tag: their language as their region has it
 * (`en-US`, `de-CH`). The server says it to the browser as the page's `lang`.
 */
export function readerLocale(): string {
  const language = currentLanguage();
  const known = knownLocale();
  return known?.startsWith(`${language}-`) ? known : usual(language);
}

const compiled = new Map<string, IntlMessageFormat>();

/** The message of an English text in the reader's language. */
function messageOf(text: string): IntlMessageFormat {
  const { language, messages } = catalogue();
  const translated = messages[text];
  const key = `${translated === undefined ? "en" : language}\n${text}`;
  let message = compiled.get(key);
  if (!message) {
    message = new IntlMessageFormat(translated ?? text, translated === undefined ? "en" : language);
    compiled.set(key, message);
  }
  return message;
}

function written<Of>(
  values: Readonly<Record<string, Of>>,
): Record<string, NonNullable<Of> | string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ""]));
}

/** A text in the reader's language; as it stands, where its language has none. Not for a module's constants: see phrases. */
export function t(text: string, values?: Readonly<Record<string, Value>>): string {
  if (!values) return catalogue().messages[text] ?? text;
  return String(messageOf(text).format(written(values)));
}

/**
 * A text in pieces: `{name}` becomes the value, and what stands between `<name>` and `</name>` what the function of
 * that name makes of it.
 */
export function tPieces<Piece>(
  text: string,
  values: Readonly<Record<string, Value | Piece | ((words: (string | Piece)[]) => Piece)>>,
): (string | Piece)[] {
  return [messageOf(text).format(written(values) as Record<string, never>)].flat();
}

/** Properties that hold no words, in objects and lists within a constant. */
export const wordless: ReadonlySet<string> = new Set([
  ...["value", "id", "name", "href", "kind", "tone", "icon", "type", "key", "fill", "swatch"],
]);

/**
 * The same constant, whose texts are in the reader's language whenever they are read: `phrases({ sent: "Was sent" })`.
 * In objects and lists within it too, except for properties such as `value` and `id`. Read them when something is shown:
 * a copy made at start keeps its language.
 */
export function phrases<const Constant extends object>(constant: Constant): Constant {
  return spoken(constant, !Array.isArray(constant));
}

function spoken<Constant extends object>(constant: Constant, isWhole: boolean): Constant {
  const result: object = Array.isArray(constant) ? [] : {};
  for (const [key, value] of Object.entries(constant) as [string, unknown][]) {
    const isSaid = isWhole || !wordless.has(key);
    Object.defineProperty(result, key, {
      enumerable: true,
      ...(typeof value === "string" && isSaid
        ? { get: () => t(value) }
        : { value: isSaid && isPlain(value) ? spoken(value, false) : value }),
    });
  }
  return result as Constant;
}

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype);
