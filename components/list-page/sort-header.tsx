import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { Link } from "@/components/ui/link";
import { HeaderCell } from "@/components/ui/table";
import { pageHref } from "./filters";

/**
 * The head of a column that a list can be sorted by: pressed once it sorts one way, pressed again the other, and then
 * as it was before. The order is kept in the URL.
 */
export function SortHeader({
  href,
  query,
  up,
  down,
  first,
  byDefault,
  className,
  children,
}: {
  /** The list's first page, without filters. */
  href: string;
  query: Readonly<Record<string, unknown>>;
  /** The values of `sort` for each way. */
  up: string;
  down: string;
  /** Which way comes first. */
  first: "up" | "down";
  /** The value of `sort` that holds when none is given. */
  byDefault: string;
  className?: string;
  children: string;
}) {
  const sort = query["sort"] ?? byDefault;
  const order = sort === up ? "ascending" : sort === down ? "descending" : undefined;
  const [one, other] = first === "up" ? [up, down] : [down, up];
  const back = byDefault === up || byDefault === down ? one : byDefault;
  const next = order === undefined ? one : sort === one ? other : back;
  const Icon = order === undefined ? ChevronsUpDown : order === "ascending" ? ArrowUp : ArrowDown;
  return (
    <HeaderCell className={className} aria-sort={order}>
      <Link
        href={pageHref(href, { ...query, sort: next === byDefault ? undefined : next })}
        className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
        scroll={false}
      >
        {children}
        <Icon className="size-3.5 shrink-0" aria-hidden />
      </Link>
    </HeaderCell>
  );
}
