import {
  highestRate,
  probabilitiesToBeBest,
  type Trials,
} from "@/lib/domain/ab-tests/probability-to-be-best";
import { Chance } from "@/lib/testing/chance";
import { clearProbability } from "@/lib/domain/ab-tests/terms";

/*
 * What A/B tests say about audiences whose true rates are known: a thousand tests of each kind, decided as
 * a campaign's are. The same seed draws the same people, so the table is the same on every machine.
 */

const tests = 1_000;

interface Scenario {
  name: string;
  /** What people in each variant really do. */
  rates: readonly number[];
  /** People in each variant. */
  people: number;
  /** The minimum share of tests that must end this way; null: for information only. */
  least: { outcome: "no clear winner" | "the better one wins clearly"; share: number } | null;
}

const equal = (variants: number, rate: number, people: number): Scenario => ({
  name: `${variants} variants, all ${rate * 100} %`,
  rates: Array.from({ length: variants }, () => rate),
  people,
  least: { outcome: "no clear winner", share: 0.85 },
});

const scenarios: readonly Scenario[] = [
  equal(2, 0.4, 1_000),
  equal(2, 0.4, 100),
  equal(2, 0.03, 1_000),
  equal(3, 0.4, 1_000),
  equal(5, 0.4, 1_000),
  {
    name: "40 % and 50 %",
    rates: [0.4, 0.5],
    people: 1_000,
    least: { outcome: "the better one wins clearly", share: 0.95 },
  },
  {
    name: "40 %, 40 %, 40 %, 50 %",
    rates: [0.4, 0.4, 0.4, 0.5],
    people: 1_000,
    least: { outcome: "the better one wins clearly", share: 0.95 },
  },
  { name: "40 % and 50 %", rates: [0.4, 0.5], people: 100, least: null },
  { name: "20 % and 22 %", rates: [0.2, 0.22], people: 1_000, least: null },
];

function draw(random: () => number, rate: number, people: number): Trials {
  let succeeded = 0;
  for (let person = 0; person < people; person++) if (random() < rate) succeeded++;
  return { tried: people, succeeded };
}

/** Shares of the tests. */
interface Outcomes {
  /** The highest rate was one of the truly best. */
  better: number;
  clear: number;
  /** Called clear, but not one of the truly best. */
  wrong: number;
}

function simulate({ rates, people }: Scenario, seed: number): Outcomes {
  const chance = new Chance(seed);
  const random = () => chance.next();
  const best = Math.max(...rates);
  const counts = { better: 0, clear: 0, wrong: 0 };
  for (let test = 0; test < tests; test++) {
    const variants = rates.map((rate) => draw(random, rate, people));
    const winner = highestRate(variants);
    const isBetter = rates[winner] === best;
    const isClear = (probabilitiesToBeBest(variants)[winner] ?? 0) >= clearProbability;
    if (isBetter) counts.better++;
    if (isClear) counts.clear++;
    if (isClear && !isBetter) counts.wrong++;
  }
  return {
    better: counts.better / tests,
    clear: counts.clear / tests,
    wrong: counts.wrong / tests,
  };
}

const share = (part: number) => `${(part * 100).toFixed(1)} %`;
const header = [
  "true rates",
  "people each",
  "no clear winner",
  "clear and right",
  "clear and wrong",
  "the better one goes out",
  "wanted",
];
const rows: string[][] = [];
let missed = 0;
for (const [index, scenario] of scenarios.entries()) {
  const { better, clear, wrong } = simulate(scenario, 1 + index);
  const { least, rates, people } = scenario;
  const reached = least?.outcome === "no clear winner" ? 1 - clear : clear - wrong;
  const isMissed = least !== null && reached < least.share;
  if (isMissed) missed++;
  const isEqual = new Set(rates).size === 1;
  rows.push([
    scenario.name,
    people.toLocaleString("en"),
    share(1 - clear),
    isEqual ? "-" : share(clear - wrong),
    isEqual ? share(clear) : share(wrong),
    isEqual ? "-" : share(better),
    least === null
      ? "-"
      : `${least.outcome} in ${least.share * 100} %: ${isMissed ? "MISSED" : "yes"}`,
  ]);
}

const widths = header.map((name, column) =>
  Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)),
);
const line = (cells: readonly string[]) =>
  cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join("  ")
    .trimEnd();
console.log(`${tests.toLocaleString("en")} tests each, clear from ${clearProbability * 100} % on`);
console.log(line(header));
for (const row of rows) console.log(line(row));
process.exitCode = missed === 0 ? 0 : 1;
