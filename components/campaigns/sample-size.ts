/*
 * How many people a test needs, by the normal approximation of two binomials: enough for a difference to be
 * called clear (probability of being best: 0.95) in four tests out of five.
 */

/** Quantiles of the normal distribution for an error of 0.05 shared among one to four rivals. */
const clearAt = [1.6449, 1.96, 2.128, 2.2414];
/** The quantile for a power of four in five. */
const powerAt = 0.8416;

function neededSquared(base: number, difference: number, variants: number): number {
  const better = base + difference;
  const clear = clearAt[variants - 2] ?? 2.2414;
  return (clear + powerAt) ** 2 * (base * (1 - base) + better * (1 - better));
}

/** People per variant needed to tell `base` from `base + difference`, both shares from 0 to 1. */
export function peopleNeeded(base: number, difference: number, variants: number): number {
  return Math.ceil(neededSquared(base, difference, variants) / difference ** 2);
}

/** The smallest difference from `base` that this many people per variant can show; null: none. */
export function smallestDifference(base: number, people: number, variants: number): number | null {
  let [low, high] = [0, 1 - base];
  if (people < peopleNeeded(base, high, variants)) return null;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (peopleNeeded(base, middle, variants) <= people) high = middle;
    else low = middle;
  }
  return high;
}
