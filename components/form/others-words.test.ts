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
