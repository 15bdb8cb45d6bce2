import type { ReactNode } from "react";
import { t } from "@/lib/ground/texts/t";

/** The figures of a chart as a table: unfolded by whoever wants them, and always on paper. */
export function AsTable({ children }: { children: ReactNode }) {
  return (
    <details className="mt-2 text-sm" data-in-print="">
      <summary className="w-fit text-xs text-soft underline decoration-control underline-offset-2 hover:text-ink">
        {t("Show as a table")}
      </summary>
      {children}
    </details>
  );
}
