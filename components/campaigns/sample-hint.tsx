"use client";

import { count, people as peopleWords, percent } from "@/components/ui/numbers";
import { t } from "@/lib/ground/texts/t";
import { peopleNeeded, smallestDifference } from "./sample-size";

/** Typical values where nothing is known: shares of recipients, and a difference worth having. */
const usual = {
  opens: { base: 0.25, difference: 0.03 },
  clicks: { base: 0.03, difference: 0.01 },
} as const;

/** What this many people can show, and how many a given difference takes. */
export function SampleHint({
  people,
  share,
  variants,
  metric,
}: {
  people: number | undefined;
  share: number;
  variants: number;
  metric: keyof typeof usual;
}) {
  const { base, difference } = usual[metric];
  const needed = peopleNeeded(base, difference, variants);
  const inTest = people === undefined ? 0 : Math.min(people, Math.ceil(people * share));
  const each = Math.floor(inTest / variants);
  const told = each > 0 ? smallestDifference(base, each, variants) : null;
  const shares = told !== null && { base: percent(base), goal: percent(base + told) };
  return (
    <p className="text-xs text-soft" data-testid="sample-hint">
      {people !== undefined && people > 0 && (
        <>
          {t("{inTest} of {people} are in the test, about {each} for each variant.", {
            inTest: count(inTest),
            people: peopleWords(people),
            each: count(each),
          })}{" "}
          {!shares
            ? t("That is too few to tell any difference.")
            : metric === "opens"
              ? t(
                  "If {base} usually open, a variant must reach {goal} to have a four-in-five chance of being recognised as better.",
                  shares,
                )
              : t(
                  "If {base} usually click, a variant must reach {goal} to have a four-in-five chance of being recognised as better.",
                  shares,
                )}{" "}
        </>
      )}
      {t(
        "For a difference of {points, plural, one {# percentage point} other {# percentage points}} each variant needs {people}.",
        { points: Math.round(difference * 100), people: peopleWords(needed) },
      )}
    </p>
  );
}
