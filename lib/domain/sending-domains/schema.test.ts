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
