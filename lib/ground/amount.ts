import { numberFormat } from "./texts/formats";
import { t } from "./texts/t";

/** A number in a sentence: `12,345`. */
export const amount = (count: number) => numberFormat().format(count);
/** `1 person`, `12,044 people`: a number with its noun, in English. */
export const counted = (count: number, singular: string, plural = `${singular}s`) =>
  t(`{count, plural, one {# ${singular}} other {# ${plural}}}`, { count });
/** `12.4%` of a share from 0 to 1. */
export const percent = (share: number) =>
  numberFormat({ style: "percent", maximumFractionDigits: 1 }).format(share);
/** `0.08%`: for shares that matter while they are small. */
export const finePercent = (share: number) =>
  numberFormat({ style: "percent", maximumFractionDigits: 2 }).format(share);
/** `12K`: where there is no room, as on an axis. */
export const compactAmount = (number: number) =>
  numberFormat({ notation: "compact" }).format(number);
