import { numberLocale, t } from "./texts/t";

const formats = new Map<string, Intl.NumberFormat>();

/** A number as the reader's language writes it. */
function format(number: number, options: Intl.NumberFormatOptions = {}): string {
  const key = `${numberLocale()} ${JSON.stringify(options)}`;
  let made = formats.get(key);
  if (!made) {
    made = new Intl.NumberFormat(numberLocale(), options);
    formats.set(key, made);
  }
  return made.format(number);
}

/** A number in a sentence: `12,345`. */
export const amount = (count: number) => format(count);
/** `1 person`, `12,044 people`: a number with its noun, in English. */
export const counted = (count: number, singular: string, plural = `${singular}s`) =>
  t(`{count, plural, one {# ${singular}} other {# ${plural}}}`, { count });
/** `12.4%` of a share from 0 to 1. */
export const percent = (share: number) =>
  format(share, { style: "percent", maximumFractionDigits: 1 });
/** `0.08%`: for shares that matter while they are small. */
export const finePercent = (share: number) =>
  format(share, { style: "percent", maximumFractionDigits: 2 });
/** `12K`: where there is no room, as on an axis. */
export const compactAmount = (number: number) => format(number, { notation: "compact" });
