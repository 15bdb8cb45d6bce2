export const fewestVariants = 2;
export const mostVariants = 5;
/** The defaults for whatever a new test does not set. */
export const abTestDefaults = {
  testPercentage: 20,
  winnerMetric: "opens",
  winnerAfterMinutes: 240,
} as const;

/** A clear winner is best with at least this probability. */
export const clearProbability = 0.95;
