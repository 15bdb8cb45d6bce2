import { expect, it } from "vitest";
import { bounceOf, serverWords } from "./provider-report";

it("what a server says of the sender makes no address a bad one, whatever the provider calls it", () => {
  const said = "550 5.1.0 <shop@example.com>: Sender address rejected: User unknown";
  expect(bounceOf(serverWords(said), true)).toMatchObject({
    report: { hard: false },
    cause: "policy",
  });
  expect(bounceOf(serverWords(said))).toMatchObject({ report: { hard: false }, cause: "policy" });
  for (const [words, cause] of [
    ["550-5.7.26 Your email has been blocked because the sender is unauthenticated", "reputation"],
    [
      "550 5.7.515 Access denied, sending domain example.com does not meet the required level",
      "policy",
    ],
    [
      "550 5.7.1 Messages weren't sent: part of their network is on our block list (S3150)",
      "reputation",
    ],
    ["554 5.7.1 This looks like spam", "content"],
  ] as const) {
    const report = bounceOf(serverWords(words), true);
    expect(report).toMatchObject({ report: { hard: false } });
    expect(report.cause).toBe(cause);
  }
  expect(bounceOf(serverWords("550 5.1.1 User unknown"), true)).toMatchObject({
    report: { hard: true },
    cause: "invalid_address",
  });
});
