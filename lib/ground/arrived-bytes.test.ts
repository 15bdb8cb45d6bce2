import { expect, test } from "vitest";
import { ArrivedBytes } from "./arrived-bytes";

/** Pieces of these lengths, each byte telling where it belongs. */
function pieces(lengths: readonly number[]) {
  let at = 0;
  return lengths.map((length) => Buffer.from(Array.from({ length }, () => at++ % 251)));
}

const cases: readonly (readonly [what: string, lengths: readonly number[]])[] = [
  ["nothing", []],
  ["one piece", [70_000]],
  ["single bytes", Array<number>(3_000).fill(1)],
  ["large pieces", [65_536, 65_536, 40_000]],
  ["small between large ones", [3, 40_000, 5, 900, 17_000, 16_383, 0, 1]],
];

test.each(cases)("%s: whole, in their order, and in at most twice their size", (_what, lengths) => {
  const arrived = new ArrivedBytes();
  const sent = pieces(lengths);
  for (const piece of sent) {
    arrived.add(piece);
    expect(arrived.memory).toBeLessThanOrEqual(2 * arrived.size + 1_024);
    expect(arrived.memory).toBeGreaterThanOrEqual(arrived.size);
  }
  const all = Buffer.concat(sent);
  expect(arrived.size).toBe(all.length);
  expect(arrived.whole().equals(all)).toBe(true);
});

test("what arrived in one piece is not copied, what was dropped takes no memory", () => {
  const arrived = new ArrivedBytes();
  const piece = Buffer.from("one piece");
  arrived.add(piece);
  expect(arrived.whole().buffer).toBe(piece.buffer);
  arrived.drop();
  expect([arrived.memory, arrived.whole().length]).toEqual([0, 0]);
});
