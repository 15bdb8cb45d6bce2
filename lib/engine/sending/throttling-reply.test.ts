import { expect, test } from "vitest";
import { asksForLess } from "./throttling-reply";

test.each([
  [421, null, "Too many connections", true],
  [451, "4.7.1", "Slow down", true],
  [452, "4.3.1", "Insufficient system storage", true],
  [450, "4.7.1", "Too much mail from you", true],
  [450, null, "Mailbox busy", false],
  [452, "4.2.2", "Mailbox full", false],
  [451, "4.1.8", "Sender's domain not found", false],
  [451, "4.7.1", "Greylisted, try again in five minutes", false],
  [454, "4.7.0", "Not now", false],
  [550, "5.7.1", "Too much", false],
])("%i %s %s: %s", (code, enhancedCode, text, expected) => {
  expect(asksForLess({ code, enhancedCode, text })).toBe(expected);
});
