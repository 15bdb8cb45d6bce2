import { describe, expect, test } from "vitest";
import { highestRate, probabilitiesToBeBest } from "@/lib/domain/ab-tests/probability-to-be-best";
import { Chance } from "@/lib/testing/chance";
import { peopleNeeded, smallestDifference } from "./sample-size";

describe("the people a test needs", () => {
  test.each([
    [0.25, 0.05, 2],
    [0.25, 0.05, 4],
    [0.03, 0.02, 2],
  ])(
    "tell %d from %d more, with %d variants, in about four tests of five",
    (base, more, variants) => {
      const people = peopleNeeded(base, more, variants);
      const chance = new Chance(11);
      const random = () => chance.next();
      const tests = 300;
      let told = 0;
      for (let one = 0; one < tests; one++) {
        const trials = Array.from({ length: variants }, (_, index) => {
          const rate = index === 0 ? base + more : base;
          let succeeded = 0;
          for (let person = 0; person < people; person++) if (random() < rate) succeeded++;
          return { tried: people, succeeded };
        });
        const winner = highestRate(trials);
        if (winner === 0 && (probabilitiesToBeBest(trials)[0] ?? 0) >= 0.95) told++;
      }
      expect(told / tests).toBeGreaterThan(0.72);
      expect(told / tests).toBeLessThan(0.92);
    },
  );

  test("are more for a smaller difference and for more variants", () => {
    expect(peopleNeeded(0.25, 0.02, 2)).toBeGreaterThan(peopleNeeded(0.25, 0.05, 2));
    expect(peopleNeeded(0.25, 0.05, 5)).toBeGreaterThan(peopleNeeded(0.25, 0.05, 2));
  });
});

test("the smallest difference is the one that so many people are needed for", () => {
  for (const people of [100, 1_000, 50_000]) {
    const difference = smallestDifference(0.25, people, 3) ?? 1;
    expect(Math.abs(peopleNeeded(0.25, difference, 3) - people)).toBeLessThanOrEqual(1);
  }
  expect(smallestDifference(0.25, 2, 2)).toBeNull();
});
