import { ChevronLeft, ChevronRight } from "lucide-react";
import { LinkButton } from "@/components/ui/button";

/** Keyset paging: back to the newest, and on to older ones. Hidden when there is one page. */
export function Pagination({
  firstHref,
  nextHref,
}: {
  /** Null on the first page. */
  firstHref: string | null;
  /** Null on the last page. */
  nextHref: string | null;
}) {
  if (!firstHref && !nextHref) return null;
  return (
    <nav aria-label="Pages of the list" className="mt-4 flex items-center justify-between gap-2">
      {firstHref ? (
        <LinkButton href={firstHref} size="sm">
          <ChevronLeft aria-hidden /> Newest
        </LinkButton>
      ) : (
        <span />
      )}
      {nextHref && (
        <LinkButton href={nextHref} size="sm">
          Older <ChevronRight aria-hidden />
        </LinkButton>
      )}
    </nav>
  );
}
