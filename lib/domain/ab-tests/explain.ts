import type { WinnerDecision } from "@/db/schema/campaigns";
import { amount, percent } from "@/lib/ground/amount";
import { clearProbability, variantNames, type AbTestResult, type VariantName } from "./schema";

/** What only comes close to certainty is not shown as certainty. */
const probability = (share: number) =>
  share > 0.999 ? "more than 99.9%" : share < 0.001 ? "less than 0.1%" : percent(share);

const deed = { opens: "opened", clicks: "clicked" } as const;

function figuresOf({ metric, variants }: WinnerDecision): string {
  return variants
    .map(
      ({ tried, succeeded }, index) =>
        `${variantNames[index]} ${amount(succeeded)} of ${amount(tried)}`,
    )
    .join(", ")
    .concat(` ${deed[metric]}`);
}

type Told = Pick<
  AbTestResult,
  "phase" | "winner" | "winnerMetric" | "outcome" | "winnerProbability" | "testRecipients"
>;

/** Why a variant goes to everybody else although it is not clearly the best. */
function explainUnclear(winner: VariantName, certainty: string, decision: WinnerDecision): string {
  const { metric, variants } = decision;
  const figures = figuresOf(decision);
  const rates = variants.map(({ tried, succeeded }) => (tried === 0 ? 0 : succeeded / tried));
  const best = rates[variantNames.indexOf(winner)];
  if (best === 0) {
    return `No clear winner: nobody ${deed[metric]} it, so the first variant, ${winner}, goes to everybody else (${figures}).`;
  }
  const isTied = rates.filter((rate) => rate === best).length > 1;
  const why = isTied ? "is the first of those with" : "has";
  return `No clear winner: ${winner} ${why} the highest rate, and is best with a probability of ${certainty}, below ${probability(clearProbability)} (${figures}). It was sent anyway.`;
}

/** Where a test stands, or how it was decided, in a sentence. */
export function explain(
  { phase, winner, winnerMetric, outcome, winnerProbability, testRecipients }: Told,
  { recipients, winnerDecision }: { recipients: number; winnerDecision: WinnerDecision | null },
): string {
  if (winner === null || winnerDecision === null) {
    switch (phase) {
      case "testing":
        return "The test is going out. The wait for the winner begins once everybody in it has been tried.";
      case "awaiting_winner":
        return `The variant that more people ${winnerMetric === "opens" ? "open" : "click"} goes to everybody else.`;
      case "stopped":
        return "The campaign ended before there was a winner.";
      case "sending_winner":
      case "done":
        return recipients <= testRecipients
          ? "Everybody was in the test, so nobody was left for a winner."
          : "There is no winner.";
    }
  }
  const certainty = probability(winnerProbability ?? 0);
  const figures = figuresOf(winnerDecision);
  switch (outcome) {
    case "chosen_by_hand":
      return `${winner} was chosen by hand. It was best with a probability of ${certainty} (${figures}).`;
    case "clear_winner":
      return `${winner} won: it is best with a probability of ${certainty} (${figures}).`;
    default:
      return explainUnclear(winner, certainty, winnerDecision);
  }
}
