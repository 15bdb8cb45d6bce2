import { expect, test } from "vitest";
import type { AbTest } from "@/db/schema/campaigns";
import { judgeAbTest } from "./ab-test";

const settings = (more: Partial<AbTest> = {}): AbTest => ({
  variants: [{ subject: "Alpha" }, { subject: "Beta" }],
  testPercentage: 20,
  winnerMetric: "opens",
  winnerAfterMinutes: 240,
  ...more,
});
const say = (people: number, more: Partial<AbTest> = {}) => judgeAbTest(settings(more), people);
const saying = (text: string) => expect.stringContaining(text) as string;

test("an audience no larger than the variants leaves nobody for a winner", () => {
  expect(say(2)).toMatchObject([{ code: "ab_test_small", message: saying("nobody is left") }]);
  expect(say(3)[0]?.message).toContain("About 1 person gets each variant");
});

test("a test of too few people is told, with the share that would do", () => {
  expect(say(400)).toMatchObject([{ count: 40, message: saying("Put 25% of the audience") }]);
  expect(say(400, { testPercentage: 25 })).toEqual([]);
  expect(say(150)).toMatchObject([{ count: 15, message: saying("fewer variants would help") }]);
});

test("clicks need more people than opens", () => {
  expect(say(1_000, { testPercentage: 50 })).toEqual([]);
  expect(say(1_000, { testPercentage: 50, winnerMetric: "clicks" })).toMatchObject([
    { count: 250, message: saying("below 600 even twice as many clicks") },
  ]);
});

test("nothing is said without a test, and of nobody", () => {
  expect(judgeAbTest(null, 5)).toEqual([]);
  expect(say(0)).toEqual([]);
});
