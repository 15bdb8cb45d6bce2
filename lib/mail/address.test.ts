import { describe, expect, it } from "vitest";
import { cpuMilliseconds } from "@/lib/testing/cpu-time";
import { normalizeAddress, parseMailbox } from "./address";

describe("a mailbox", () => {
  it.each([
    ["ada@example.com", { email: "ada@example.com", name: "" }],
    [" Ada Byron <ada@EXAMPLE.com> ", { email: "ada@example.com", name: "Ada Byron" }],
    [
      '"Byron, \\"Ada\\" <x>" <ada@example.com>',
      { email: "ada@example.com", name: 'Byron, "Ada" <x>' },
    ],
    ["<ada@example.com>", { email: "ada@example.com", name: "" }],
    ["Ada <b@example.com> <ada@example.com>", null],
    ["ada@example.com <ada@example.com>", null],
    ['"Ada <ada@example.com>', null],
    ["Ada ada@example.com>", null],
    ["Ada <ada@example.com> Byron", null],
    // A URL's host would be example.com.
    ["ada@ex%61mple.com", null],
  ])("%j is read as it is written", (text, mailbox) => {
    expect(parseMailbox(text)).toEqual(mailbox);
  });
});

it.each([
  ["blanks", `${" ".repeat(1_000_000)}@`],
  ["blanks before a bracket", `a${" ".repeat(1_000_000)}<`],
  ["brackets", "<".repeat(1_000_000)],
  ["open quotes", `"${"\\a".repeat(500_000)} <a@example.com>`],
  ["dots", `${".".repeat(1_000_000)}@example.com`],
  ["labels", `a@${"a.".repeat(500_000)}`],
  ["digits", `a@${"1".repeat(1_000_000)}`],
])("a megabyte of %s is no mailbox, and is refused in a moment", (_, text) => {
  const cost = cpuMilliseconds(() => {
    expect(parseMailbox(text)).toBeNull();
    expect(normalizeAddress(text)).toBeNull();
  });
  expect(cost).toBeLessThan(500);
});
