import { variantNames, type VariantName } from "@/db/enums";
import type { WinnerDecision } from "@/db/schema/campaigns";
import { amount, percent } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";
import type { AbTestResult } from "./schema";
import { clearProbability } from "./terms";

/** What only comes close to certainty is not shown as certainty. */
const probability = (share: number) =>
  share > 0.999
    ? t("more than {share}", { share: percent(0.999) })
    : share < 0.001
      ? t("less than {share}", { share: percent(0.001) })
      : percent(share);

function figuresOf({ metric, variants }: WinnerDecision): string {
  const figures = variants
    .map(({ tried, succeeded }, index) =>
      t("{variant} {succeeded} of {tried}", {
        variant: variantNames[index],
        succeeded: amount(succeeded),
        tried: amount(tried),
      }),
    )
    .join(", ");
  return metric === "opens"
    ? t("{figures} opened", { figures })
    : t("{figures} clicked", { figures });
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
    return metric === "opens"
      ? t(
          "No clear winner: nobody opened it, so the first variant, {winner}, goes to everybody else ({figures}).",
          { winner, figures },
        )
      : t(
          "No clear winner: nobody clicked it, so the first variant, {winner}, goes to everybody else ({figures}).",
          { winner, figures },
        );
  }
  const isTied = rates.filter((rate) => rate === best).length > 1;
  const told = { winner, certainty, least: probability(clearProbability), figures };
  return isTied
    ? t(
        "No clear winner: {winner} is the first of those with the highest rate, and is best with a probability of {certainty}, below {least} ({figures}). It was sent anyway.",
        told,
      )
    : t(
        "No clear winner: {winner} has the highest rate, and is best with a probability of {certainty}, below {least} ({figures}). It was sent anyway.",
        told,
      );
}

/** Where a test stands, or how it was decided, in a sentence. */
export function explain(
  { phase, winner, winnerMetric, outcome, winnerProbability, testRecipients }: Told,
  { recipients, winnerDecision }: { recipients: number; winnerDecision: WinnerDecision | null },
): string {
  if (winner === null || winnerDecision === null) {
    switch (phase) {
      case "testing":
        return t(
          "The test is going out. The wait for the winner begins once everybody in it has been tried.",
        );
      case "awaiting_winner":
        return winnerMetric === "opens"
          ? t("The variant that more people open goes to everybody else.")
          : t("The variant that more people click goes to everybody else.");
      case "stopped":
        return t("The campaign ended before there was a winner.");
      case "sending_winner":
      case "done":
        return recipients <= testRecipients
          ? t("Everybody was in the test, so nobody was left for a winner.")
          : t("There is no winner.");
    }
  }
  const certainty = probability(winnerProbability ?? 0);
  const figures = figuresOf(winnerDecision);
  const told = { winner, certainty, figures };
  switch (outcome) {
    case "chosen_by_hand":
      return t(
        "{winner} was chosen by hand. It was best with a probability of {certainty} ({figures}).",
        told,
      );
    case "clear_winner":
      return t("{winner} won: it is best with a probability of {certainty} ({figures}).", told);
    default:
      return explainUnclear(winner, certainty, winnerDecision);
  }
}
