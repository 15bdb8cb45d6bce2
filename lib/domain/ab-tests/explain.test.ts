import { expect, test } from "vitest";
import { variantNames } from "@/db/enums";
import type { WinnerDecision } from "@/db/schema/campaigns";
import { explain } from "./explain";
import { highestRate, probabilitiesToBeBest } from "./probability-to-be-best";

/** What is said of a test whose variants were opened so often by a hundred people each. */
function said(opened: readonly number[]): string {
  const trials = opened.map((succeeded) => ({ tried: 100, succeeded }));
  const probabilities = probabilitiesToBeBest(trials);
  const winnerDecision: WinnerDecision = {
    by: "figures",
    metric: "opens",
    variants: trials.map((trial, index) => ({
      ...trial,
      probabilityToBeBest: probabilities[index] ?? 0,
    })),
  };
  const index = highestRate(trials);
  const winnerProbability = probabilities[index] ?? 0;
  return explain(
    {
      phase: "sending_winner",
      winner: variantNames[index] ?? "A",
      winnerMetric: "opens",
      outcome: winnerProbability >= 0.95 ? "clear_winner" : "no_clear_winner",
      winnerProbability,
      testRecipients: 100 * opened.length,
    },
    { recipients: 10_000, winnerDecision },
  );
}

test("a variant that is hardly better is said to have the highest rate, and no more", () => {
  expect(said([40, 42])).toMatch(/^No clear winner: B has the highest rate, and is best with /);
});

test("of equal ones the first goes out, and is not said to be better", () => {
  expect(said([30, 40, 40])).toMatch(
    /^No clear winner: B is the first of those with the highest rate, and is best with /,
  );
});

test("where nobody opened any, no rate and no probability is made of that", () => {
  expect(said([0, 0, 0])).toBe(
    "No clear winner: nobody opened it, so the first variant, A, goes to everybody else (A 0 of 100, B 0 of 100, C 0 of 100 opened).",
  );
});

test("a clear winner is told with its probability", () => {
  expect(said([30, 55])).toMatch(
    /^B won: it is best with a probability of more than 99.9% \(A 30 of 100, B 55 of 100 opened\)\.$/,
  );
});
