import { expect, test } from "vitest";
import { verdictWords } from "./comparison-words";

const both = [
  { id: "a", name: "First", stats: { delivered: 900 } },
  { id: "b", name: "Second", stats: { delivered: 800 } },
];
const rate = { rate: "openRate", best: "b", probability: 0.97, clear: true } as const;

test("a difference is called one only where it is hardly chance", () => {
  expect(verdictWords(rate, both)).toBe("Second is better, 97% sure");
  expect(verdictWords({ ...rate, probability: 0.8, clear: false }, both)).toBe(
    "The difference may be chance",
  );
  expect(verdictWords({ ...rate, probability: 0.9999 }, both)).toBe(
    "Second is better, over 99.9% sure",
  );
  expect(verdictWords({ ...rate, best: null, clear: false }, both)).toBe("No difference");
  const unsent = [...both, { id: "c", name: "Third", stats: { delivered: 0 } }];
  expect(verdictWords(rate, unsent)).toBe("Nothing to compare yet");
  expect(verdictWords(rate, both.slice(0, 1))).toBe("");
});
