import { describe, expect, it } from "vitest";
import { isMachine, ownAddress } from "./machines";

const person = "203.0.113.7";
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const by = (userAgent: string, address = person) => isMachine({ userAgent, address });

describe("a machine is", () => {
  it("the prefetch of a mailbox provider", () => {
    expect(by("Mozilla/5.0")).toBe(true);
    expect(
      by(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
      ),
    ).toBe(true);
  });

  it("a filter or a crawler known by its agent or its network", () => {
    expect(by("Barracuda Sentinel (EE)")).toBe(true);
    expect(by("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")).toBe(
      true,
    );
    expect(by("Mozilla/4.0 (compatible; ms-office; Microsoft Office Existence Discovery)")).toBe(
      true,
    );
    expect(by(chrome, "67.231.152.9")).toBe(true);
    expect(by(chrome, "::ffff:67.231.152.9")).toBe(true);
  });

  it("not a person's browser, mail program or image proxy, and nothing unknown", () => {
    expect(by(chrome)).toBe(false);
    expect(by(`${chrome} Edg/142.0.0.0`)).toBe(false);
    expect(
      by(
        "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
      ),
    ).toBe(false);
    expect(by("YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html")).toBe(
      false,
    );
    expect(by("Mozilla/4.0 (compatible; ms-office; MSOffice 16)")).toBe(false);
    expect(
      by(
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
      ),
    ).toBe(false);
    expect(by("Mozilla/5.0 (Linux; Android 14; CUBOT KINGKONG 9) AppleWebKit/537.36")).toBe(false);
    expect(by("")).toBe(false);
    expect(by("curl/8.5.0", "unknown")).toBe(false);
    expect(by(chrome, "2001:db8::1")).toBe(false);
  });
});

describe("a person's own address", () => {
  it("is not that of their mailbox provider's proxy", () => {
    expect(ownAddress({ userAgent: chrome, address: "::ffff:203.0.113.7" })).toBe(person);
    expect(ownAddress({ userAgent: chrome, address: "2001:db8::1" })).toBe("2001:db8::1");
    expect(
      ownAddress({ userAgent: "x (via ggpht.com GoogleImageProxy)", address: person }),
    ).toBeNull();
    expect(ownAddress({ userAgent: chrome, address: "unknown" })).toBeNull();
  });
});
