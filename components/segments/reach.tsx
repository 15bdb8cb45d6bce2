import { Fragment } from "react";
import { skippedParts } from "@/components/contacts/skipped-words";
import { FigureLink } from "@/components/ui/figure-link";
import { count } from "@/components/ui/numbers";
import { rich } from "@/components/ui/rich";
import type { ContactState } from "@/lib/domain/contact-states/schema";
import type { SegmentPreview } from "@/lib/domain/segment-members/schema";
import { listFormat } from "@/lib/ground/texts/formats";
import { reachWords } from "./reach-words";

/** Whom a campaign to a segment reaches and whom it skips: reachWords with figures that open their people. */
export function Reach({
  matches: { count: matching, reachableCount, excluded },
  href,
}: {
  matches: SegmentPreview;
  /** Where the people in a state are; null: they have no page yet. */
  href: ((state: ContactState) => string) | null;
}) {
  const reasons = skippedParts(excluded);
  if (href === null || matching <= reachableCount || reasons.length === 0) {
    return <>{reachWords(matching, reachableCount, excluded)}</>;
  }
  const pieces = listFormat().formatToParts(reasons.map(({ words }) => words));
  const skipped = rich("It skips {people}.", {
    people: pieces.map(({ type, value }, index) => {
      const before = pieces.slice(0, index).filter((piece) => piece.type === "element").length;
      const state = reasons[before]?.state as ContactState | undefined;
      return (
        <Fragment key={index}>
          {type === "element" && state ? (
            <FigureLink href={href(state)}>{value}</FigureLink>
          ) : (
            value
          )}
        </Fragment>
      );
    }),
  });
  return (
    <>
      {reachableCount === 0
        ? rich("A campaign would reach none of them. {skipped}", { skipped })
        : rich("A campaign would reach {reachable} of them. {skipped}", {
            reachable: <FigureLink href={href("reachable")}>{count(reachableCount)}</FigureLink>,
            skipped,
          })}
    </>
  );
}
