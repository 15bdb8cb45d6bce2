import { describe, expect, it } from "vitest";
import { isAddressFault } from "./address-fault";

const reply = (code: number, enhancedCode: string | null, text = "") => ({
  code,
  enhancedCode,
  text,
});

describe("a permanent refusal", () => {
  it.each([
    [reply(550, "5.1.1", "User unknown"), true],
    [reply(550, "5.1.10", "Recipient not found"), true],
    [reply(550, "5.2.1", "The account is disabled"), true],
    [reply(550, null, "No such user here"), true],
    [reply(550, null, "<a@b.c>: Recipient address rejected: User unknown"), true],
    [reply(553, null, "mailbox unavailable"), true],
    [reply(550, null, "Unrouteable address"), true],
    [reply(550, null, "Unrouteable address Sender verify failed"), false],
    [reply(550, "5.7.1", "Recipient address rejected: user unknown to policy"), false],
    [reply(550, "5.7.26", "unauthenticated mail"), false],
    [reply(550, "5.1.8", "Sender's domain not found"), false],
    [reply(552, "5.2.2", "Mailbox full"), false],
    [reply(554, null, "Rejected as spam"), false],
    [reply(550, null, "Message refused by policy"), false],
  ])("%o is an address fault: %s", (given, expected) => {
    expect(isAddressFault(given)).toBe(expected);
  });
});
