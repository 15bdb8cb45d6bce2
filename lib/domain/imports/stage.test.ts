import { expect, test } from "vitest";
import { surveyFile } from "./stage";

const rowsAtOnce = 32_768;

function fileOf(rows: number) {
  let read = 0;
  async function* text() {
    yield await Promise.resolve("email\n");
    for (; read < rows; read += rowsAtOnce) yield "a\n".repeat(rowsAtOnce);
  }
  return { file: { separator: ",", text }, read: () => read };
}

test("a file of many short lines is refused before any of them is stored, and read no further", async () => {
  const { file, read } = fileOf(24_000_000);
  await expect(surveyFile(file, undefined)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  expect(read()).toBeLessThan(20_100_000);
}, 120_000);

test("a large file is surveyed to its end", async () => {
  const { file } = fileOf(2 * rowsAtOnce);
  expect(await surveyFile(file, undefined)).toHaveLength(1);
});
