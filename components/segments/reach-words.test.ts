import { expect, test } from "vitest";
import { reachWords } from "./reach-words";

test("a segment that is larger than its campaign says who the others are", () => {
  expect(reachWords(62_998, 62_923)).toBe(
    "A campaign would reach 62,923 of them. The other 75 are not subscribed, or suppressed after a bounce or complaint.",
  );
  expect(reachWords(2, 1)).toBe(
    "A campaign would reach 1 of them. The other one is not subscribed, or suppressed after a bounce or complaint.",
  );
  expect(reachWords(2, 0)).toBe(
    "A campaign would reach none of them. They are not subscribed, or suppressed after a bounce or complaint.",
  );
});

test("a segment that is reached as a whole says so, one without people says nothing", () => {
  expect(reachWords(3, 3)).toBe("A campaign would reach all of them.");
  expect(reachWords(0, 0)).toBe("");
  // Counted a moment later, when somebody more matched.
  expect(reachWords(3, 4)).toBe("A campaign would reach all of them.");
});
