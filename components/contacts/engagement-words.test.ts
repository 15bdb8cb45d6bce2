import { expect, test } from "vitest";
import { habitWords } from "./engagement-words";

test.each([
  [0, 0, 0, ""],
  [4, 0, 0, "Opened none of 4 emails."],
  [1, 1, 0, "Opened 1 of 1 email, clicked in 0."],
  [9, 3, 1, "Opened 3 of 9 emails, clicked in 1."],
  [50, 21, 1, "Opens about 4 of 10 emails and clicks in fewer than 1 of 10."],
  [50, 49, 0, "Opens nearly all emails and clicks in none."],
  [50, 50, 25, "Opens all emails and clicks in about 5 of 10."],
  [50, 0, 0, "Opened none of 50 emails."],
])("of %d emails %d opened and %d clicked in: %s", (sent, opened, clicked, words) => {
  expect(habitWords([{ month: "2026-11", sent, opened, clicked }])).toBe(words);
});
