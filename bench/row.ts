/** One measured figure beside its floor: what the plainest way does on this machine in the same run. */
export interface BenchRow {
  what: string;
  /** Unit of `figure` and `floor`, such as `emails/s`. */
  unit: string;
  figure: number;
  floor: number | null;
  /** figure / floor */
  ratio: number | null;
  /** What is to be reached: every goal that is given. */
  goal?: { least?: number; most?: number; leastRatio?: number; mostRatio?: number };
}

const count = (value: number) =>
  value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });

function goalText({ goal, unit }: BenchRow): string {
  return [
    goal?.least === undefined ? "" : `>= ${count(goal.least)} ${unit}`,
    goal?.most === undefined ? "" : `<= ${count(goal.most)} ${unit}`,
    goal?.leastRatio === undefined ? "" : `>= ${goal.leastRatio.toFixed(1)} x floor`,
    goal?.mostRatio === undefined ? "" : `<= ${goal.mostRatio.toFixed(1)} x floor`,
  ]
    .filter(Boolean)
    .join(", ");
}

function verdict({ goal, figure, ratio }: BenchRow): string {
  if (!goal) return "";
  const reached =
    figure >= (goal.least ?? -Infinity) &&
    figure <= (goal.most ?? Infinity) &&
    (ratio ?? Infinity) >= (goal.leastRatio ?? -Infinity) &&
    (ratio ?? -Infinity) <= (goal.mostRatio ?? Infinity);
  return reached ? "reached" : "NOT REACHED";
}

/** The rows as a table: what, figure, goal, floor, ratio, and whether the goal is reached. */
export function formatTable(rows: BenchRow[]): string {
  const lines = [
    ["what", "figure", "goal", "floor", "ratio", ""],
    ...rows.map((row) => [
      row.what,
      `${count(row.figure)} ${row.unit}`,
      goalText(row),
      row.floor === null ? "-" : `${count(row.floor)} ${row.unit}`,
      row.ratio === null ? "-" : row.ratio.toFixed(2),
      verdict(row),
    ]),
  ];
  const widths = lines[0]?.map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths?.[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
