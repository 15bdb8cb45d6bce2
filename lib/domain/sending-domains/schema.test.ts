import { describe, expect, it } from "vitest";
import { domainCreate, normalizeDomainName } from "./schema";

describe("normalizeDomainName", () => {
  it.each([
    ["Example.COM", "example.com"],
    [" mail.example.com. ", "mail.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ])("reads %j as %s", (text, name) => {
    expect(normalizeDomainName(text)).toBe(name);
  });

  it.each([
    "",
    "com",
    "localhost",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "a..b.com",
    "example.com..",
    "-a.com",
    "under_score.com",
    "_dmarc.example.com",
    "*.example.com",
    "me@example.com",
    "https://example.com",
    "example.com/path",
    "example.com:25",
    "ex ample.com",
    `${"a".repeat(64)}.com`,
    `${"a.".repeat(120)}com`,
  ])("refuses %j", (text) => {
    expect(normalizeDomainName(text)).toBeNull();
    expect(domainCreate.safeParse({ name: text }).success).toBe(false);
  });
});

it.each(["gmail.com", "Outlook.com", "mail.gmail.com", "GMX.de."])(
  "%s is nobody's to send from",
  (name) => {
    const { error } = domainCreate.safeParse({ name });
    expect(error?.issues[0]?.message).toContain("add a domain of your own");
  },
);

it.each(["notgmail.com", "gmail.com.example.org", "web.development"])(
  "%s only looks like a provider of mailboxes",
  (name) => expect(domainCreate.safeParse({ name }).success).toBe(true),
);
