import { counted, formatBytes } from "@/components/ui/numbers";
import type { ExportProgress } from "@/lib/domain/exports/schema";
import { t } from "@/lib/ground/texts/t";

/** How much of a file there is: `12,044 rows, 2.4 MB`. */
export function amountWords({ rows, bytes }: Pick<ExportProgress, "rows" | "bytes">): string {
  const size = formatBytes(bytes);
  return rows === null ? size : t("{rows}, {size}", { rows: counted(rows, "row"), size });
}
