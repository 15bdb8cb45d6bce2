import { describe, expect, it } from "vitest";
import { zoneFile } from "./zone-file";

describe("zoneFile", () => {
  it("splits long text into strings that fit, and ends host names with a dot", () => {
    const lines = zoneFile([
      { type: "TXT", name: "k._domainkey.example.com", value: "x".repeat(300) },
      { type: "MX", name: "bounces.example.com", value: "mx.example.net", priority: 10 },
      { type: "CNAME", name: "links.example.com", value: "app.example.net" },
    ]).split("\n");
    expect(lines).toEqual([
      `k._domainkey.example.com. 3600 IN TXT "${"x".repeat(255)}" "${"x".repeat(45)}"`,
      "bounces.example.com. 3600 IN MX 10 mx.example.net.",
      "links.example.com. 3600 IN CNAME app.example.net.",
    ]);
  });

  it("has each record once", () => {
    const record = { type: "MX" as const, name: "ses.example.com", value: "in.example.net" };
    expect(zoneFile([record, record])).toBe("ses.example.com. 3600 IN MX 10 in.example.net.");
  });
});
