import { amount, counted, finePercent, percent } from "@/lib/ground/amount";

export { amount as count, counted, finePercent, percent };

const compactCounts = new Intl.NumberFormat("en", { notation: "compact" });

/** `12K`: where there is no room, as on an axis. */
export const compactCount = (number: number) => compactCounts.format(number);
/** `1 person`, `12,044 people` */
export const people = (number: number) => counted(number, "person", "people");

/** `812 B`, `14 KB`, `2.4 MB`; 1 KB is 1,024 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  if (kilobytes < 1000) return `${Math.round(kilobytes)} KB`;
  return `${(kilobytes / 1024).toFixed(1)} MB`;
}
