import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Chance } from "@/lib/testing/chance";
import { highestRate, probabilitiesToBeBest, type Trials } from "./probability-to-be-best";

const trials = (tried: number, succeeded: number): Trials => ({ tried, succeeded });
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function logFactorial(n: number): number {
  let total = 0;
  for (let k = 2; k <= n; k++) total += Math.log(k);
  return total;
}
const logBeta = (a: number, b: number) =>
  logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

/** How likely it is that the second of two is better: the closed formula for whole numbers, term by term. */
function secondIsBetter(first: Trials, second: Trials): number {
  const [a1, b1] = [1 + first.succeeded, 1 + first.tried - first.succeeded];
  const [a2, b2] = [1 + second.succeeded, 1 + second.tried - second.succeeded];
  let total = 0;
  for (let i = 0; i < a2; i++) {
    total += Math.exp(
      logBeta(a1 + i, b1 + b2) - Math.log(b2 + i) - logBeta(1 + i, b2) - logBeta(a1, b1),
    );
  }
  return total;
}

const anyTrials = fc
  .tuple(fc.integer({ min: 0, max: 3000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([tried, share]) => trials(tried, Math.round(tried * share)));

describe("the probability to be best", () => {
  test("of two is that of the closed formula, whatever the figures", () => {
    fc.assert(
      fc.property(anyTrials, anyTrials, (first, second) => {
        const [, better = 0] = probabilitiesToBeBest([first, second]);
        expect(better).toBeCloseTo(secondIsBetter(first, second), 8);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  test.each([
    [[trials(1000, 400), trials(1000, 500)], 0.9999966],
    [[trials(10, 4), trials(10, 5)], 0.66504],
    [[trials(0, 0), trials(0, 0)], 0.5],
    [[trials(20, 0), trials(20, 20)], 1],
    [[trials(50_000_000, 10_000_000), trials(50_000_000, 10_010_000)], 0.99379],
  ])("of %j: the second %d", ([first = trials(0, 0), second = trials(0, 0)], expected) => {
    expect(probabilitiesToBeBest([first, second])[1]).toBeCloseTo(expected, 4);
  });

  test("is equal for equal figures, and 1 together", () => {
    for (const many of [2, 3, 4, 5]) {
      const each = probabilitiesToBeBest(Array.from({ length: many }, () => trials(400, 90)));
      expect(sum(each)).toBeCloseTo(1, 12);
      for (const one of each) expect(one).toBeCloseTo(1 / many, 9);
    }
  });

  test("needs no scaling to add up to 1, though one variant has a thousand times the other's people", () => {
    // What an integral over too coarse a grid would miss is the narrow one within the wide one.
    const [wide = 0, narrow = 0] = probabilitiesToBeBest([
      trials(10, 3),
      trials(2_000_000, 500_000),
    ]);
    expect(wide).toBeCloseTo(secondIsBetter(trials(2_000_000, 500_000), trials(10, 3)), 6);
    expect(wide + narrow).toBeCloseTo(1, 12);
  });

  test("of three is what drawing from them says", () => {
    const variants = [trials(200, 40), trials(200, 50), trials(150, 36)];
    const chance = new Chance(7);
    const random = () => chance.next();
    const wins = [0, 0, 0];
    const draws = 40_000;
    for (let draw = 0; draw < draws; draw++) {
      const rates = variants.map(({ tried, succeeded }) =>
        drawBeta(random, 1 + succeeded, 1 + tried - succeeded),
      );
      const best = rates.indexOf(Math.max(...rates));
      wins[best] = (wins[best] ?? 0) + 1;
    }
    probabilitiesToBeBest(variants).forEach((one, index) => {
      expect(Math.abs(one - (wins[index] ?? 0) / draws)).toBeLessThan(0.01);
    });
  });

  test("does not depend on the order", () => {
    fc.assert(
      fc.property(fc.array(anyTrials, { minLength: 2, maxLength: 5 }), (variants) => {
        const forward = probabilitiesToBeBest(variants);
        const backward = probabilitiesToBeBest(variants.toReversed()).toReversed();
        forward.forEach((one, index) => expect(one).toBeCloseTo(backward[index] ?? -1, 9));
      }),
      { numRuns: 50, seed: 6 },
    );
  });
});

test("the highest rate is the winner, the first of equal ones, and nobody's is 0", () => {
  expect(highestRate([trials(100, 20), trials(50, 11), trials(10, 1)])).toBe(1);
  expect(highestRate([trials(100, 20), trials(50, 10)])).toBe(0);
  expect(highestRate([trials(0, 0), trials(0, 0)])).toBe(0);
  expect(highestRate([trials(0, 0), trials(9, 1)])).toBe(1);
});

/** The a-th smallest of a + b - 1 even draws is distributed so. */
function drawBeta(random: () => number, a: number, b: number): number {
  return Float64Array.from({ length: a + b - 1 }, random).toSorted()[a - 1] ?? 0;
}
