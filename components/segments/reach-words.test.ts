import { expect, test } from "vitest";
import { reachWords } from "./reach-words";

const nobody = {
  never_subscribed: 0,
  unsubscribed: 0,
  hard_bounce: 0,
  complaint: 0,
  manual: 0,
  paused: 0,
  domain: 0,
};

test("a segment that is larger than its campaign says whom it skips, by reason", () => {
  const excluded = { ...nobody, unsubscribed: 1505, hard_bounce: 111, complaint: 9 };
  expect(reachWords(62_998, 61_373, excluded)).toBe(
    "A campaign would reach 61,373 of them. It skips 1,505 unsubscribed, 111 bounced and 9 complained.",
  );
  expect(reachWords(1, 0, { ...nobody, never_subscribed: 1 })).toBe(
    "A campaign would reach none of them. It skips 1 not subscribed.",
  );
  expect(reachWords(30, 0, { ...nobody, unsubscribed: 1, domain: 29 })).toBe(
    "A campaign would reach none of them. It skips 1 unsubscribed and 29 at suppressed domains.",
  );
  expect(reachWords(2, 0, { ...nobody, manual: 1, never_subscribed: 1 })).toBe(
    "A campaign would reach none of them. It skips 1 not subscribed and 1 suppressed.",
  );
});

test("a segment that is reached as a whole says so, one without people says nothing", () => {
  expect(reachWords(3, 3, nobody)).toBe("A campaign would reach all of them.");
  expect(reachWords(0, 0, nobody)).toBe("");
});
