import { describe, expect, it } from "vitest";
import { base32, stepOfCode, totpCode, totpUri } from "./totp";

const secret = base32(Buffer.from("12345678901234567890"));

describe("codes of authenticator apps", () => {
  // RFC 6238, appendix B, SHA-1: the last six of its eight digits.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %i: %s", (second, code) => {
    expect(totpCode(secret, Math.floor(second / 30))).toBe(code);
  });

  it("writes base32 as RFC 4648 does, whatever the length", () => {
    const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
    expect(texts.map((text) => base32(Buffer.from(text)))).toEqual([
      "",
      "MY",
      "MZXQ",
      "MZXW6",
      "MZXW6YQ",
      "MZXW6YTB",
      "MZXW6YTBOI",
    ]);
  });

  it("takes a clock that is one step fast or slow, and none that is two", () => {
    const counters = [-2, -1, 0, 1, 2].map((drift) =>
      stepOfCode(secret, totpCode(secret, 1000 + drift), { step: 1000, lastStep: 0 }),
    );
    expect(counters).toEqual([null, 999, 1000, 1001, null]);
  });

  it("takes no step again, and none before the last one taken", () => {
    const codeOf = (step: number) => totpCode(secret, step);
    expect(stepOfCode(secret, codeOf(1000), { step: 1000, lastStep: 1000 })).toBeNull();
    expect(stepOfCode(secret, codeOf(999), { step: 1000, lastStep: 1000 })).toBeNull();
    expect(stepOfCode(secret, codeOf(1001), { step: 1000, lastStep: 1000 })).toBe(1001);
  });

  it("says who it is for in the QR code, however odd the address", () => {
    const url = new URL(totpUri(secret, "ada+a&b@example.com"));
    expect(decodeURIComponent(url.pathname)).toBe("/Lettermill:ada+a&b@example.com");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ secret, issuer: "Lettermill" });
  });
});
