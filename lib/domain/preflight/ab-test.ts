import type { AbTest } from "@/db/schema/campaigns";
import { amount } from "@/lib/ground/amount";
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
    const message =
      "The audience is no larger than the A/B test has variants. Everybody is in the test, and nobody is left for a winner.";
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
      ? `Put ${share}% of the audience into the test.`
      : "A larger share or fewer variants would help, but the audience is small for a test.";
  const message = `The A/B test will hardly have a clear winner. About ${amount(each)} ${each === 1 ? "person gets" : "people get"} each variant, and below ${amount(fewest)} even twice as many ${winnerMetric} cannot be told from chance. ${help}`;
  return [advisory("ab_test_small", message, { places, count: each })];
}
