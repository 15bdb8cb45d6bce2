import { expect, it } from "vitest";
import { bounceOf, serverWords } from "./provider-report";

it("what a server says of the sender makes no address a bad one, whatever the provider calls it", () => {
  const said = "550 5.1.0 <shop@example.com>: Sender address rejected: User unknown";
  expect(bounceOf(serverWords(said), true)).toMatchObject({
    report: { hard: false },
    cause: "policy",
  });
  expect(bounceOf(serverWords(said))).toMatchObject({ report: { hard: false }, cause: "policy" });
  expect(bounceOf(serverWords("550 5.1.1 User unknown"), true)).toMatchObject({
    report: { hard: true },
    cause: "invalid_address",
  });
});
