import { expect, test } from "vitest";
import type { Goal } from "@/lib/domain/goals/schema";
import { behindGoal, progressParts, standingWords, typedTarget } from "./goal-words";

const goal: Goal = {
  id: "goal_1",
  figure: "newContacts",
  period: "month",
  target: 1200,
  startsAt: "2026-11-01T00:00:00.000Z",
  endsAt: "2026-12-01T00:00:00.000Z",
  daysLeft: 12,
  reached: 412,
  of: null,
  expected: 720,
  standing: "behind",
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-01T00:00:00.000Z",
};
const rate: Goal = {
  ...goal,
  ...{ figure: "openRate", target: 25, reached: 24.08, expected: null },
  of: { part: 290, whole: 1204, deliveryConfirmed: true },
};

test("a count says what it is, what is expected and how long it has", () => {
  expect(progressParts(goal)).toEqual(["412 of 1,200", "720 expected by now", "12 days left"]);
  const full = { ...goal, reached: 250_000, daysLeft: 1 };
  expect(progressParts(full)).toEqual([
    ...["250,000 or more of 1,200", "720 expected by now", "ends today"],
  ]);
});

test("a rate says of what it is, and whether its target is a limit", () => {
  expect(progressParts(rate)).toEqual([
    ...["24.08%, at least 25%", "290 of 1,204 delivered", "12 days left"],
  ]);
  const of = { part: 3, whole: 100, deliveryConfirmed: false };
  const bounces: Goal = { ...rate, figure: "bounceRate", target: 2.5, reached: 3, of };
  expect(progressParts(bounces).slice(0, 2)).toEqual(["3%, at most 2.5%", "3 of 100 sent"]);
  const nothing = { ...rate, reached: null, of: { ...of, part: 0, whole: 0 } };
  expect(progressParts(nothing)).toEqual(["at least 25%", "12 days left"]);
});

test("counts have a pace, rates a target", () => {
  expect(standingWords(goal)).toBe("Behind pace");
  expect(standingWords(rate)).toBe("Below target");
  expect(standingWords({ ...rate, standing: "reached" })).toBe("On target");
});

test("a goal leads to what is behind it", () => {
  expect(behindGoal(goal)).toBe("contacts");
  expect(behindGoal(rate)).toBe("emails?event=opened&startDate=2026-11-01");
});

test.each([
  ["1200", 1200],
  ["1,200", 1200],
  [" 2.5 % ", 2.5],
  ["1,2", NaN],
  ["", NaN],
  ["%", NaN],
  ["many", NaN],
])("%j is typed for %d", (text, target) => {
  expect(typedTarget(text)).toBe(target);
});
