import { expect, test } from "vitest";
import { jsonStream } from "./json-stream";

async function* count(to: number, seen: number[] = []) {
  try {
    for (let n = 1; n <= to; n++) {
      if (n === 4) throw new Error("There is no fourth.");
      seen.push(n);
      yield { n };
    }
  } finally {
    seen.push(0);
  }
}
const text = async (stream: Promise<ReadableStream<Uint8Array>>) =>
  new Response(await stream).text();

test("a list is JSON, however many items it has", async () => {
  for (const [to, written] of [
    [0, "[]"],
    [1, '[{"n":1}]'],
    [3, '[{"n":1},{"n":2},{"n":3}]'],
  ] as const) {
    expect(await text(jsonStream(count(to)))).toBe(written);
    expect(await text(jsonStream(count(to), ['{"data":', "}"]))).toBe(`{"data":${written}}`);
  }
});

test("no more is read than somebody takes, and a reader that stops ends it", async () => {
  const seen: number[] = [];
  const reader = (await jsonStream(count(3, seen))).getReader();
  expect(seen).toEqual([1]);
  await reader.read();
  expect(seen).toEqual([1]);
  await reader.cancel();
  expect(seen).toEqual([1, 0]);
});

test("what fails at once is thrown, and what fails later does not look like the end", async () => {
  const none = (async function* () {
    yield await Promise.reject(new Error("There is nothing."));
  })();
  await expect(jsonStream(none)).rejects.toThrow("There is nothing.");
  await expect(text(jsonStream(count(5)))).rejects.toThrow("There is no fourth.");
});
