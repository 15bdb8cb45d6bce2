import { expect, test } from "vitest";
import { Pace } from "./waiting";

test("what is claimed ahead follows what goes out in half a second, within bounds", () => {
  const pace = new Pace({ least: 8, most: 200 });
  expect(pace.lookahead(10_000)).toBe(8);
  for (let done = 0; done < 50; done++) pace.note(10_001 + done);
  expect(pace.lookahead(10_100)).toBe(50);
  expect(pace.lookahead(10_501)).toBe(50);
  for (let done = 0; done < 700; done++) pace.note(10_510);
  expect(pace.lookahead(10_520)).toBe(200);
});

test("a server that stands still is not claimed for", () => {
  const pace = new Pace({ least: 8, most: 200 });
  for (let done = 0; done < 100; done++) pace.note(10_000);
  expect(pace.lookahead(11_500)).toBe(8);
});
