import { expect, test } from "vitest";
import { startWords } from "./timing-words";

test("a campaign that goes to everybody at once is said to do so, and no other is", () => {
  const plain = { abTest: null, personalTime: null };
  expect(startWords(plain)).toBe("starting now and as fast as possible");
  const personalTime = { mode: "reader", at: "08:30" } as const;
  expect(startWords({ ...plain, personalTime })).toBe(
    "within 24 hours, to each person at the hour they usually read, or at 08:30 in their own time zone",
  );
  expect(startWords({ ...plain, personalTime: { mode: "local", at: "09:00" } })).toBe(
    "within 24 hours, to each person at 09:00 in their own time zone",
  );
  const abTest = { testPercentage: 20, winnerMetric: "clicks", winnerAfterMinutes: 240 } as const;
  expect(startWords({ ...plain, abTest })).toBe(
    "starting now as an A/B test: 20% of the audience get the variants, and 4 hours later everybody else gets the one that more people click",
  );
});
