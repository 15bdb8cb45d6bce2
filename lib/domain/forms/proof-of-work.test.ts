import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isProof } from "./proof-of-work";

const stamp = "AZqlHnA4fkK2";
const bitsOf = (n: number) =>
  createHash("sha256").update(`${stamp}:${n}`).digest().readUInt32BE(0) >>> 17;
const solve = () => {
  let n = 0;
  while (bitsOf(n) !== 0) n++;
  return n;
};

test("a number with 15 zero bits is taken for its own stamp alone", () => {
  const proof = solve();
  expect(isProof(stamp, String(proof))).toBe(true);
  expect(isProof(`${stamp}x`, String(proof))).toBe(false);
  expect(isProof(stamp, String(proof - 1))).toBe(false);
});

test.each(["", " ", "-1", "1e3", "12345678", "0x1", "١"])("%j is no proof", (proof) => {
  expect(isProof(stamp, proof)).toBe(false);
});
