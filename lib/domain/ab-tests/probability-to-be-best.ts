/*
 * Which of several rates is the highest, by Bayes: after `succeeded` of `tried`, a rate has the distribution Beta(1
 * + succeeded, 1 + tried - succeeded), starting from no opinion. The probability that a rate is the best is the
 * integral of its density times the others' distribution functions. Exact except for the quadrature, whose error is
 * below 1e-9; no random numbers, so the same figures give the same answer.
 */

/** What is known about a rate. */
export interface Trials {
  tried: number;
  succeeded: number;
}

interface Beta {
  a: number;
  b: number;
  /** The logarithm of 1 / B(a, b). */
  logScale: number;
}

// Lanczos' approximation with g = 7 and nine terms: 15 digits.
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/** The logarithm of the gamma function, for x of 1 and more. */
function logGamma(x: number): number {
  const [first = 1, ...terms] = lanczos;
  const sum = terms.reduce((total, term, index) => total + term / (x + index), first);
  const base = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

function betaOf({ tried, succeeded }: Trials): Beta {
  const a = 1 + succeeded;
  const b = 1 + Math.max(0, tried - succeeded);
  return { a, b, logScale: logGamma(a + b) - logGamma(a) - logGamma(b) };
}

function density({ a, b, logScale }: Beta, x: number): number {
  return Math.exp(logScale + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
}

/** The regularized incomplete beta function, for x between 0 and 1, by Lentz's continued fraction. */
function distribution(beta: Beta, x: number): number {
  const { a, b, logScale } = beta;
  // It converges fast only on the near side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - distribution({ a: b, b: a, logScale }, 1 - x);
  const tiny = 1e-300;
  const least = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / least(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / least(1 + even * d);
    c = least(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / least(1 + odd * d);
    c = least(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return (Math.exp(logScale + a * Math.log(x) + b * Math.log1p(-x)) * fraction) / a;
}

// Gauss and Legendre's points and weights for eight of them, on -1 to 1: the other half is their mirror image.
const quadrature = [
  [0.1834346424956498, 0.362683783378362],
  [0.525532409916329, 0.3137066458778873],
  [0.7966664774136267, 0.2223810344533745],
  [0.9602898564975363, 0.1012285362903763],
].flatMap(([x = 0, weight = 0]) => [
  { x, weight },
  { x: -x, weight },
]);

/** Where the density of a rate changes, in standard deviations from its mean. */
const places = [-20, -9, -6, -4.5, -3, -2, -1, 0, 1, 2, 3, 4.5, 6, 9, 14, 20];

/**
 * The ends of the intervals to integrate over: those of the rate itself, and of the others where they change within
 * them.
 */
function intervals(one: Beta, all: readonly Beta[]): number[] {
  const around = ({ a, b }: Beta) => {
    const mean = a / (a + b);
    const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
    return places.map((place) => Math.min(1, Math.max(0, mean + place * deviation)));
  };
  const own = around(one);
  const [from = 0, to = 1] = [own[0], own.at(-1)];
  const ends = all.flatMap(around).filter((end) => end >= from && end <= to);
  return [...new Set(ends)].toSorted((left, right) => left - right);
}

/** For each, how likely it is that its rate is the highest; they add up to 1. */
export function probabilitiesToBeBest(variants: readonly Trials[]): number[] {
  const betas = variants.map(betaOf);
  const shares = betas.map((one, index) => {
    const others = betas.filter((_, other) => other !== index);
    const ends = intervals(one, betas);
    let total = 0;
    for (let interval = 1; interval < ends.length; interval++) {
      const [from = 0, to = 0] = [ends[interval - 1], ends[interval]];
      const half = (to - from) / 2;
      for (const { x, weight } of quadrature) {
        const at = from + half * (1 + x);
        const value = density(one, at);
        // Far out, nothing is left that would show in the sum.
        if (half * value < 1e-14) continue;
        total +=
          half * weight * others.reduce((left, beta) => left * distribution(beta, at), value);
      }
    }
    return total;
  });
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

/** The index of the highest rate; of equal ones the first. */
export function highestRate(variants: readonly Trials[]): number {
  const rates = variants.map(({ tried, succeeded }) => (tried === 0 ? 0 : succeeded / tried));
  return rates.indexOf(Math.max(...rates));
}
