import { expect, test } from "vitest";
import { amountWords } from "./words";

test("tables have rows, other files only their size", () => {
  expect(amountWords({ rows: 1, bytes: 12 })).toBe("1 row, 12 B");
  expect(amountWords({ rows: 12_044, bytes: 2_500_000 })).toBe("12,044 rows, 2.4 MB");
  expect(amountWords({ rows: null, bytes: 2_500_000 })).toBe("2.4 MB");
});
