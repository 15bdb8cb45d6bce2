import clsx from "clsx";
import Link from "next/link";
import { overviewRange, type OverviewRange } from "@/lib/domain/overview/schema";

const names: Record<OverviewRange, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

/** Which period the page shows; kept in the URL. */
export function RangeTabs({ current, path }: { current: OverviewRange; path: string }) {
  return (
    <nav aria-label="Period" className="flex rounded-md border border-control bg-sheet p-0.5">
      {overviewRange.options.map((range) => (
        <Link
          key={range}
          href={`${path}?range=${range}`}
          scroll={false}
          aria-current={range === current ? "page" : undefined}
          className={clsx(
            "rounded-sm px-2.5 py-1 text-sm transition-colors",
            range === current ? "bg-ink text-paper" : "text-soft hover:bg-hover hover:text-ink",
          )}
        >
          {names[range]}
        </Link>
      ))}
    </nav>
  );
}
