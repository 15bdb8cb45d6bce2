import type { AbTest } from "@/db/schema/campaigns";
import { amount, percent } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";
import { advisory, field } from "./findings";
import type { AdvisoryFinding } from "./schema";

/**
 * How many people each variant needs to recognise a doubled rate, from 25 % who open or 3 % who click, four times
 * out of five.
 */
const fewestEach = { opens: 50, clicks: 600 } as const;

/** What a small audience means for an A/B test. */
export function judgeAbTest(test: AbTest | null, people: number): AdvisoryFinding[] {
  if (!test || people === 0) return [];
  const { variants, testPercentage, winnerMetric } = test;
  const places = [field("abTest.testPercentage")];
  if (people <= variants.length) {
    const message = t(
      "The audience is no larger than the A/B test has variants. Everybody is in the test, and nobody is left for a winner.",
    );
    return [advisory("ab_test_small", message, { places, count: people })];
  }
  const each = Math.floor(
    Math.max(variants.length, Math.ceil((people * testPercentage) / 100)) / variants.length,
  );
  const fewest = fewestEach[winnerMetric];
  if (each >= fewest) return [];
  const share = Math.ceil((100 * fewest * variants.length) / people);
  const help =
    share <= 50
      ? t("Put {share} of the audience into the test.", { share: percent(share / 100) })
      : t("A larger share or fewer variants would help, but the audience is small for a test.");
  const values = { each, fewest: amount(fewest), help };
  const message =
    winnerMetric === "opens"
      ? t(
          "The A/B test will hardly have a clear winner. About {each, plural, one {# person gets} other {# people get}} each variant, and below {fewest} even twice as many opens cannot be told from chance. {help}",
          values,
        )
      : t(
          "The A/B test will hardly have a clear winner. About {each, plural, one {# person gets} other {# people get}} each variant, and below {fewest} even twice as many clicks cannot be told from chance. {help}",
          values,
        );
  return [advisory("ab_test_small", message, { places, count: each })];
}
