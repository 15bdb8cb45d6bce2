import { expect, test } from "vitest";
import { Breaker } from "./breaker";

const refusal = (index: number) => `550 5.7.1 <p${index}@example.org>: Sender address rejected`;

test("the twentieth equal refusal in a row breaks, whatever address it names, and then it counts anew", () => {
  const breaker = new Breaker();
  const notes = Array.from({ length: 40 }, (_, index) => breaker.note("a", refusal(index)));
  expect(notes.flatMap((broken, index) => (broken ? [index] : []))).toEqual([19, 39]);
});

test("a receiver that answers for itself is judged alone, and breaks only what is a tenth of the campaign's mail", () => {
  const breaker = new Breaker();
  // One that takes mail does not hide one that refuses it all.
  const half = Array.from({ length: 20 }, (_, index) => {
    breaker.note("a", null, "mx.takes.example");
    return breaker.note("a", refusal(index), `alt${index % 4}.refuses.example`);
  });
  expect(half.indexOf(true)).toBe(19);
  const small = Array.from({ length: 20 }, (_, index) => {
    for (let other = 0; other < 20; other++) breaker.note("b", null, "mx.takes.example");
    return breaker.note("b", refusal(index), "mx.small.example");
  });
  expect(small).not.toContain(true);
  // Twenty receivers with one refusal each are not one with twenty.
  const many = Array.from({ length: 40 }, (_, index) =>
    breaker.note("c", refusal(index), `mx.many${index}.example`),
  );
  expect(many).not.toContain(true);
});

test("other words, mail that was taken, and other campaigns do not add up", () => {
  const breaker = new Breaker();
  for (let index = 0; index < 100; index++) {
    expect(breaker.note("a", index % 2 === 0 ? refusal(index) : "552 quota exceeded")).toBe(false);
    expect(breaker.note("b", index % 19 === 18 ? null : refusal(index))).toBe(false);
  }
});
