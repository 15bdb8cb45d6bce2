import { numberFormat } from "@/lib/ground/texts/formats";
import { amount, compactAmount, counted, finePercent, percent } from "@/lib/ground/amount";

export { amount as count, compactAmount as compactCount, counted, finePercent, percent };

/** `1 person`, `12,044 people` */
export const people = (number: number) => counted(number, "person", "people");

/** `812 B`, `14 KB`, `2.4 MB`; 1 KB is 1,024 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  if (kilobytes < 1000) return `${Math.round(kilobytes)} KB`;
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  return `${numberFormat(oneDecimal).format(kilobytes / 1024)} MB`;
}
