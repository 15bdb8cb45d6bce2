import { expect, test } from "vitest";
import { Breaker } from "./breaker";

const refusal = (index: number) => `550 5.7.1 <p${index}@example.org>: Sender address rejected`;

test("the twentieth equal refusal in a row breaks, whatever address it names, and then it counts anew", () => {
  const breaker = new Breaker();
  const notes = Array.from({ length: 40 }, (_, index) => breaker.note("a", refusal(index)));
  expect(notes.flatMap((broken, index) => (broken ? [index] : []))).toEqual([19, 39]);
});

test("other words, mail that was taken, and other campaigns do not add up", () => {
  const breaker = new Breaker();
  for (let index = 0; index < 100; index++) {
    expect(breaker.note("a", index % 2 === 0 ? refusal(index) : "552 quota exceeded")).toBe(false);
    expect(breaker.note("b", index % 19 === 18 ? null : refusal(index))).toBe(false);
  }
});
