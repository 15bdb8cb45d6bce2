const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const finePercents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

/** A number in a sentence: `12,345`. */
export const amount = (count: number) => count.toLocaleString("en");
/** `1 person`, `12,044 people`: a number with its noun. */
export const counted = (count: number, singular: string, plural = `${singular}s`) =>
  `${amount(count)} ${count === 1 ? singular : plural}`;
/** `12.4%` of a share from 0 to 1. */
export const percent = (share: number) => percents.format(share);
/** `0.08%`: for shares that matter while they are small. */
export const finePercent = (share: number) => finePercents.format(share);
