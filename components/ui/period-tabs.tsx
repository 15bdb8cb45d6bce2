import clsx from "clsx";
import { t } from "@/lib/ground/texts/t";
import { Link } from "./link";

/** Which period a page's figures cover; kept in the URL. */
export function PeriodTabs({
  periods,
}: {
  periods: readonly { label: string; href: string; current: boolean }[];
}) {
  return (
    <nav aria-label={t("Period")} className="flex rounded-md border border-control bg-sheet p-0.5">
      {periods.map(({ label, href, current }) => (
        <Link
          key={href}
          href={href}
          scroll={false}
          aria-current={current ? "page" : undefined}
          className={clsx(
            "rounded-sm px-2.5 py-1 text-sm transition-colors",
            current ? "bg-ink text-paper" : "text-soft hover:bg-hover hover:text-ink",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
