import { expect, test } from "vitest";
import type { Column } from "./columns";
import { KindSurvey, valueOf, type ColumnKind } from "./kinds-schema";

function surveyed(kind: ColumnKind | null, cells: readonly string[]) {
  const value: Column = { target: "data.value", kind };
  const survey = new KindSurvey([value], (cell) => cell ?? "");
  for (const cell of cells) survey.look([cell]);
  const [column] = survey.result();
  if (!column) throw new Error("The column is missing.");
  return column;
}

test.each<[string, ColumnKind, string[], unknown[]]>([
  [
    "a decimal comma",
    "number",
    ["562,26", "2.664,39", "1.234", "7", ""],
    [562.26, 2664.39, 1234, 7],
  ],
  ["thousands among commas", "number", ["1,234", "5,5"], [1.234, 5.5]],
  ["a point", "number", ["562.26", "1.234", "1234.5"], [562.26, 1.234, 1234.5]],
  ["both: the comma is refused", "number", ["562.26", "562,26"], [562.26, undefined]],
  ["a comma that may be either", "number", ["1,234", "7"], [undefined, 7]],
  [
    "dotted dates",
    "date",
    ["31.03.2026", "1.2.1980", "31.02.2026"],
    ["2026-03-31", "1980-02-01", undefined],
  ],
  [
    "times",
    "date",
    ["31.03.2026 09:30", "2026-03-31 09:30"],
    ["2026-03-31T09:30", "2026-03-31T09:30"],
  ],
  [
    "words",
    "boolean",
    ["ja", "Nein", "WAHR", "yes", "vielleicht"],
    [true, false, true, true, undefined],
  ],
])("%s in a column that was specified", (_, kind, cells, values) => {
  const column = surveyed(kind, cells);
  const read = cells.filter(Boolean).map((cell) => valueOf(kind, cell, column.decimalComma));
  expect(read).toEqual(values);
});

test.each([[["562,26"]], [["31.03.2026"]], [["ja", "nein"]]])(
  "what nobody specified is not guessed (%j)",
  (cells) => expect(surveyed(null, cells)).toEqual({ target: "data.value", kind: "text" }),
);
