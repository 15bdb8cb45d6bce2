import { ChevronLeft, ChevronRight } from "lucide-react";
import { LinkButton } from "@/components/ui/button";
import { phrases, t } from "@/lib/ground/texts/t";

const labels = phrases({
  Newest: "Newest",
  Newer: "Newer",
  First: "First",
  Previous: "Previous",
  Older: "Older",
  Next: "Next",
});

/** The buttons to a list's other pages: one back, one forward. Hidden when there is one page. */
export function Pagination({
  back,
  nextHref,
  position,
  forward = "Older",
}: {
  /** Null on the first page. */
  back: { label: "Newest" | "Newer" | "First" | "Previous"; href: string } | null;
  /** Null on the last page. */
  nextHref: string | null;
  /** `21 to 40 of 63`, where that is known. */
  position?: string | undefined;
  forward?: "Older" | "Next";
}) {
  if (!back && !nextHref) return null;
  return (
    <nav
      aria-label={t("Pages of the list")}
      className="mt-4 flex items-center justify-between gap-2"
    >
      {back ? (
        <LinkButton href={back.href} size="sm">
          <ChevronLeft aria-hidden /> {labels[back.label]}
        </LinkButton>
      ) : (
        <span />
      )}
      {position && <span className="text-sm text-soft">{position}</span>}
      {nextHref ? (
        <LinkButton href={nextHref} size="sm">
          {labels[forward]} <ChevronRight aria-hidden />
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}
