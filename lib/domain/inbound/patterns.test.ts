import { describe, expect, test } from "vitest";
import { patternFor } from "./patterns";
import { normalizePattern } from "./schema";

describe("a pattern", () => {
  test.each([
    [" Support+*@Shop.Example ", "support+*@shop.example"],
    ["support+*@", "support+*@"],
    ["*@bücher.example", "*@xn--bcher-kva.example"],
    ["support", null],
    ["@shop.example", null],
    ["a b@shop.example", null],
    ["a@not a host", null],
    ["*a*a*a*a*a*@", null],
  ])("%s is kept as %s", (text, kept) => {
    expect(normalizePattern(text)).toBe(kept);
  });

  test("fits whole addresses, without regard to case", () => {
    const fits = (pattern: string, address: string) => patternFor([pattern], address) !== null;
    expect(fits("support+*@shop.example", "Support+42@shop.example")).toBe(true);
    expect(fits("support+*@shop.example", "support@shop.example")).toBe(false);
    expect(fits("support+*@shop.example", "support+42@mail.shop.example")).toBe(false);
    expect(fits("support@", "support@any.example")).toBe(true);
    expect(fits("support@", "support2@any.example")).toBe(false);
    expect(fits("a*a@", "a@any.example")).toBe(false);
    expect(fits("a*b*c@", "aXbYc@any.example")).toBe(true);
    expect(fits("a*b*c@", "acb@any.example")).toBe(false);
    expect(fits("*@", "anybody@any.example")).toBe(true);
  });

  test("that says more is preferred, one with a domain to one for all", () => {
    const patterns = ["*@", "support+*@", "*@shop.example", "support+vip*@"];
    expect(patternFor(patterns, "support+vip1@other.example")).toBe("support+vip*@");
    expect(patternFor(patterns, "support+1@other.example")).toBe("support+*@");
    expect(patternFor(patterns, "support+vip1@shop.example")).toBe("*@shop.example");
    expect(patternFor(patterns, "else@other.example")).toBe("*@");
    expect(patternFor([], "else@other.example")).toBeNull();
  });
});
