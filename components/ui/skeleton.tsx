import clsx from "clsx";
import { t } from "@/lib/ground/texts/t";

/** A grey bar in the shape of what is to come; `className` gives it its size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden className={clsx("animate-pulse rounded-sm bg-neutral-wash", className)} />
  );
}

const widths = ["w-3/5", "w-2/5", "w-1/2", "w-1/3"];

/** Rows of a table that is being loaded. */
export function TableSkeleton({ rows = 8, columns = 4 }: { rows?: number; columns?: number }) {
  return (
    <div role="status" aria-label={t("Loading")}>
      <div className="border-b border-rule-strong py-2.5">
        <Skeleton className="h-3 w-24" />
      </div>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex gap-6 border-b py-3 last:border-b-0">
          {Array.from({ length: columns }, (_, column) => (
            <div key={column} className="flex-1">
              <Skeleton className={clsx("h-4", widths[(row + column) % widths.length])} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
