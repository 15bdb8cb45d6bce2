import { expect, test } from "vitest";
import { othersSentence } from "./others-words";

const ada = { name: "Ada", isYou: false };
const grace = { name: "Grace", isYou: false };
const you = { name: "Me", isYou: true };

test.each([
  [[], ""],
  [[ada], "Ada has this open, too."],
  [[ada, grace], "Ada and Grace have this open, too."],
  [[you], "You have it open in another tab."],
  [[ada, you], "Ada has this open, too. You have it open in another tab."],
])("%j is told as %j", (others, sentence) => {
  expect(othersSentence({ others })).toBe(sentence);
});

test("unsaved changes of people are told, whether or not they are here", () => {
  expect(othersSentence({ others: [], unsaved: ["Ada"] })).toBe(
    "Ada has changes in it that are not saved.",
  );
  expect(othersSentence({ others: [grace], unsaved: ["Ada", "Grace"] })).toBe(
    "Grace has this open, too. Ada and Grace have changes in it that are not saved.",
  );
});
