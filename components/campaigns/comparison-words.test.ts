import { expect, test } from "vitest";
import { rateLabel, verdictWords } from "./comparison-words";

const both = [
  { id: "a", name: "First", stats: { sent: 900 } },
  { id: "b", name: "Second", stats: { sent: 800 } },
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
  const unsent = [...both, { id: "c", name: "Third", stats: { sent: 0 } }];
  expect(verdictWords(rate, unsent)).toBe("Nothing to compare yet");
  expect(verdictWords(rate, both.slice(0, 1))).toBe("");
});

test("a rate says of what it is a share, of each campaign", () => {
  const confirmed = { stats: { deliveryConfirmed: true } };
  const unconfirmed = { stats: { deliveryConfirmed: false } };
  expect(rateLabel("openRate", [confirmed, confirmed])).toBe("Opened, of delivered");
  expect(rateLabel("openRate", [unconfirmed])).toBe("Opened, of accepted");
  expect(rateLabel("openRate", [unconfirmed, confirmed])).toBe("Opened, of delivered or accepted");
  expect(rateLabel("bounceRate", [unconfirmed])).toBe("Bounced, of sent");
});
