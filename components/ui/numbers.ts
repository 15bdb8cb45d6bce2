const counts = new Intl.NumberFormat("en");
const compactCounts = new Intl.NumberFormat("en", { notation: "compact" });
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const finePercents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

/** `12,044` */
export const count = (number: number) => counts.format(number);
/** `12K`: where there is no room, as on an axis. */
export const compactCount = (number: number) => compactCounts.format(number);
/** `12.4%` of a share from 0 to 1. */
export const percent = (share: number) => percents.format(share);
/** `0.08%`: for shares that matter while they are small. */
export const finePercent = (share: number) => finePercents.format(share);
/** `1 person`, `12,044 people`: a count with its noun. */
export const counted = (number: number, singular: string, plural = `${singular}s`) =>
  `${count(number)} ${number === 1 ? singular : plural}`;
/** `1 person`, `12,044 people` */
export const people = (number: number) => counted(number, "person", "people");

/** `812 B`, `14 KB`, `2.4 MB`; 1 KB is 1,024 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  if (kilobytes < 1000) return `${Math.round(kilobytes)} KB`;
  return `${(kilobytes / 1024).toFixed(1)} MB`;
}
