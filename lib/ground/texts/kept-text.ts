import { IntlMessageFormat } from "intl-messageformat";
import { amount, finePercent } from "@/lib/ground/amount";
import { currentLanguage } from "./t";

/*
 * Sentences that are kept in the database and read by whoever comes later: why a campaign was paused, an import stopped or
 * a webhook was switched off. They are written in English, as the APIs say them, whoever's request or work it is. The
 * dashboard finds the message that a sentence was made from, and says it in the reader's language.
 */

const made = new Map<string, IntlMessageFormat>();

/** A sentence to keep: in English, and with its message in the catalogues, so that keptText can say it to its reader. */
export function inEnglish(
  text: string,
  values?: Readonly<Record<string, string | number | null>>,
): string {
  if (!values) return text;
  let message = made.get(text);
  if (!message) made.set(text, (message = new IntlMessageFormat(text, "en")));
  return String(message.format(values));
}

/** Below that, a message would fit sentences that it did not make. */
const fewestLetters = 12;
const mostRemembered = 1_000;

interface Mould {
  text: string;
  /** What stands before, between and after the values. */
  literals: readonly string[];
  names: readonly string[];
  letters: number;
}

/** null for a text without values, and for one with forms, tags or quoting: no sentence that is kept has any. */
function mouldOf(text: string): Mould | null {
  const pieces = text.split(/\{(\w+)\}/);
  const literals = pieces.filter((_, index) => index % 2 === 0);
  const names = pieces.filter((_, index) => index % 2 === 1);
  const letters = literals.join("").length;
  const isPlain = literals.every((piece) => !/[{}<]|''/.test(piece));
  return names.length > 0 && isPlain && letters >= fewestLetters
    ? { text, literals, names, letters }
    : null;
}

/** The values with which a message says the sentence; null when it cannot. */
function valuesIn({ literals, names }: Mould, sentence: string): Record<string, string> | null {
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return null;
  const end = sentence.length - last.length;
  const values: Record<string, string> = {};
  let at = first.length;
  for (const [index, name] of names.entries()) {
    const next = index === names.length - 1 ? end : sentence.indexOf(literals[index + 1] ?? "", at);
    if (next < at || next > end) return null;
    values[name] = sentence.slice(at, next);
    at = next + (literals[index + 1] ?? "").length;
  }
  return values;
}

const english = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A number or a share as the reader's language writes it; anything else that a sentence holds may be a kept text, too. */
function valueInLanguage(value: string): string {
  const isShare = value.endsWith("%");
  const number = Number((isShare ? value.slice(0, -1) : value).replaceAll(",", ""));
  if (value === "" || english.format(number) !== (isShare ? value.slice(0, -1) : value)) {
    return keptText(value);
  }
  return isShare ? finePercent(number / 100) : amount(number);
}

const moulds = new Map<string, Mould[]>();
const remembered = new Map<string, string>();

function mouldsOf(language: string, texts: Iterable<string>): Mould[] {
  let found = moulds.get(language);
  if (!found) {
    found = [...texts].flatMap((text) => mouldOf(text) ?? []);
    found.sort((one, other) => other.letters - one.letters);
    moulds.set(language, found);
  }
  return found;
}

function translated(sentence: string, messages: Readonly<Record<string, string>>): string {
  const whole = messages[sentence];
  if (whole !== undefined) return whole;
  for (const mould of mouldsOf(currentLanguage(), Object.keys(messages))) {
    const values = valuesIn(mould, sentence);
    if (!values) continue;
    const inLanguage = Object.entries(values).map(([name, value]) => [
      name,
      valueInLanguage(value),
    ]);
    const message = new IntlMessageFormat(messages[mould.text] ?? mould.text, currentLanguage());
    return String(message.format(Object.fromEntries(inLanguage) as Record<string, string>));
  }
  return sentence;
}

/** A sentence that was kept in English, in the reader's language; as it stands, when no message of ours made it. */
export function keptText(sentence: string): string {
  const messages = globalThis.lettermillCatalogue?.()?.messages;
  if (!messages) return sentence;
  const key = `${currentLanguage()}\n${sentence}`;
  let known = remembered.get(key);
  if (known === undefined) {
    if (remembered.size >= mostRemembered) remembered.clear();
    known = translated(sentence, messages);
    remembered.set(key, known);
  }
  return known;
}

/** The same for a column that may be empty. */
export const keptTextOrNull = (sentence: string | null) =>
  sentence === null ? null : keptText(sentence);
