import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvLineTooLong, readRecords, type CsvRecord } from "./csv-records";
import { cpuClock } from "@/lib/testing/cpu-time";

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size)
    yield await Promise.resolve(text.slice(at, at + size));
}

async function recordsOf(text: string, separator = ",", size = 7): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const bunch of readRecords(inPieces(text, size), separator)) {
    for (const record of bunch) records.push(record);
  }
  return records;
}
const cellsOf = async (text: string, separator?: string, size?: number) =>
  (await recordsOf(text, separator, size)).map(({ cells }) => cells);

describe("records of a CSV", () => {
  test("are what was written, whatever the cells hold and however the text arrives", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", ";", "\n", " ") });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom("\n", "\r\n"),
        fc.integer({ min: 1, max: 9 }),
        async (cells, end, size) => {
          const text = stringify(cells, { record_delimiter: end, quoted: true });
          expect(await cellsOf(text, ",", size)).toEqual(cells);
        },
      ),
    );
  });

  test("begin at the line that is told; blank lines are none", async () => {
    const records = await recordsOf('\ufeffa,b\r\n\r\n"x\r\ny",1\r\n\r\nz,2');
    expect(records).toEqual([
      { line: 1, cells: ["a", "b"], fault: null },
      { line: 3, cells: ["x\ny", "1"], fault: null },
      { line: 6, cells: ["z", "2"], fault: null },
    ]);
  });

  test("end at a lone CR where the file has no LF", async () => {
    expect(await cellsOf("a;b\rc;d", ";")).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  test("that are broken cost themselves alone", async () => {
    const records = await recordsOf('a,b\n"open,1\nc,2\nd"x,3\n"e"f,4\ng,5\n"last,6\nh,7\n');
    expect(records.map(({ line, fault }) => [line, fault])).toEqual([
      [1, null],
      [2, "has text behind a closing quote"],
      [3, null],
      [4, "has a quote inside a cell without quotes"],
      [5, "has text behind a closing quote"],
      [6, null],
      [7, "has a quote that is not closed"],
      [8, null],
    ]);
  });

  test("of a megabyte without an end are refused, not gathered", async () => {
    const endless = recordsOf(`a,b\n${"x".repeat(1_100_000)}`, ",", 100_000);
    await expect(endless).rejects.toBeInstanceOf(CsvLineTooLong);
    const quoted = `a\n"${"x\n".repeat(600_000)}`;
    const used = cpuClock();
    const records = await recordsOf(quoted, ",", 100_000);
    expect(used()).toBeLessThan(5_000);
    expect(records[1]?.fault).toBe("has a quote that is not closed");
    expect(records).toHaveLength(600_001);
  });
});
