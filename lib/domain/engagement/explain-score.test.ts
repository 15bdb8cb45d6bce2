import { expect, test } from "vitest";
import { explainScore } from "./explain-score";

const nobody = {
  score: null,
  lastSeenAt: null,
  lastSentAt: null,
  inactiveDays: null,
  sent: 0,
  opened: 0,
  clicked: 0,
};
const at = "2026-11-01T10:00:00.000Z";

test.each([
  [{}, "No score: nothing has been sent to this person yet."],
  [
    { inactiveDays: 400, lastSeenAt: at },
    "No score: nothing has been sent to this person in the last 180 days. The person last opened or clicked something 400 days ago.",
  ],
  [
    { score: 0, inactiveDays: 30, sent: 4 },
    "Hardly reads, 0 of 100: the person has never opened or clicked anything, and of 4 emails in the last 180 days opened 0 and clicked in 0.",
  ],
  [
    { score: 90, inactiveDays: 1, lastSeenAt: at, sent: 1, opened: 1, clicked: 1 },
    "Engaged, 90 of 100: the person last opened or clicked something yesterday, and of 1 email in the last 180 days opened 1 and clicked in 1.",
  ],
])("%o is told in a sentence", (figures, sentence) => {
  expect(explainScore({ ...nobody, ...figures })).toBe(sentence);
});
