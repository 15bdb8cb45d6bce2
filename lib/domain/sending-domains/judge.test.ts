import { describe, expect, it } from "vitest";
import { judgeDkim, judgeDmarc, judgeMailExchange, judgeSpf } from "./judge";

const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(12);

describe("judgeDkim", () => {
  it.each([
    ["as given", `v=DKIM1; k=rsa; p=${key}`],
    ["without spaces and with a last semicolon", `v=DKIM1;k=rsa;p=${key};`],
    ["in other case", `V=dkim1; K=RSA; P=${key}`],
    ["with spaces all over", `  v = DKIM1 ;  p = ${key.slice(0, 200)}   ${key.slice(200)} `],
    ["in quotes", `"v=DKIM1; k=rsa; p=${key}"`],
    ["in quotes, split", `"v=DKIM1; k=rsa; p=${key.slice(0, 230)}" "${key.slice(230)}"`],
    ["with escaped semicolons", `v=DKIM1\\; k=rsa\\; p=${key}`],
    ["with the key alone", `p=${key}`],
    ["with the hash and the service named", `v=DKIM1; h=sha1:sha256; s=email; p=${key}`],
  ])("takes the record %s", (_, value) => {
    expect(judgeDkim([value], key)).toEqual({ ok: true, found: [value] });
  });

  it.each([
    ["missing", []],
    ["missing", ["google-site-verification=abc"]],
    ["different", [`v=DKIM1; p=${key.toLowerCase()}`]],
    ["different", ["v=DKIM1; p="]],
    ["different", ["v=DKIM1; k=rsa"]],
    ["different", [`v=DKIM1; k=ed25519; p=${key}`]],
    ["different", [`v=DKIM1; h=sha1; p=${key}`]],
    ["different", [`v=DKIM1; s=other; p=${key}`]],
    ["different", [`v=DKIM2; p=${key}`]],
    ["several", [`v=DKIM1; p=${key}`, "v=DKIM1; p=AAAA"]],
  ])("finds fault: %s in %j", (kind, values) => {
    expect(judgeDkim(values, key)).toMatchObject({ ok: false, kind, found: values });
  });

  it("says that a key was cut off", () => {
    expect(judgeDkim([`v=DKIM1; k=rsa; p=${key.slice(0, 237)}`], key).problem).toContain(
      `cut off after 237 of ${key.length}`,
    );
  });
});

describe("judgeSpf", () => {
  const ours = ["ip4:192.0.2.10", "include:spf.example.net"];

  it.each([
    "v=spf1 ip4:192.0.2.10 include:spf.example.net ~all",
    "V=SPF1  IP4:192.0.2.10  Include:SPF.example.net.  -ALL",
    '"v=spf1 include:spf.example.net +ip4:192.0.2.10/32 mx ?all"',
    "v=spf1 ip4:192.0.2.0/24 include:spf.example.net",
  ])("takes %s", (value) => {
    expect(judgeSpf([value, "some other text"], ours)).toMatchObject({ ok: true });
  });

  it.each([
    ["missing", ["v=spf10 ip4:192.0.2.10 -all"], "There is no SPF record"],
    ["different", ["v=spf1 -all"], "lacks ip4:192.0.2.10 and include:spf.example.net"],
    ["different", ["v=spf1 -ip4:192.0.2.10 include:spf.example.net ~all"], "lacks ip4:192.0.2.10"],
    ["different", ["v=spf1 ip4:192.0.2.11/32 include:spf.example.net"], "lacks ip4:192.0.2.10"],
    [
      "different",
      ["v=spf1 ip4:192.0.2.10 -all include:spf.example.net"],
      "after the all mechanism",
    ],
    ["several", ["v=spf1 ip4:192.0.2.10 ~all", "v=spf1 include:spf.example.net ~all"], "into one."],
  ])("finds fault: %s in %j", (kind, values, problem) => {
    const check = judgeSpf(values, ours);
    expect(check).toMatchObject({ ok: false, kind });
    expect(check.problem).toContain(problem);
  });

  it("lets a wider network cover ours, not a narrower or another one", () => {
    expect(judgeSpf(["v=spf1 ip6:2001:db8::/32 -all"], ["ip6:2001:db8::25"]).ok).toBe(true);
    expect(judgeSpf(["v=spf1 ip4:198.51.100.0/25 -all"], ["ip4:198.51.100.0/24"]).ok).toBe(false);
    expect(judgeSpf(["v=spf1 ip4:999.1.1.1/8 -all"], ["ip4:198.51.100.7"]).ok).toBe(false);
    expect(judgeSpf(["v=spf1 ip4:198.51.100.0/99 -all"], ["ip4:198.51.100.7"]).ok).toBe(false);
  });
});

describe("judgeDmarc", () => {
  it.each([
    "v=DMARC1; p=none",
    "v=DMARC1;p=reject;rua=mailto:dmarc@example.com",
    "V=dmarc1 ; P=Quarantine; pct=10",
    '"v=DMARC1; p=none;"',
  ])("takes %s", (value) => {
    expect(judgeDmarc([value])).toEqual({ ok: true, found: [value] });
  });

  it.each([
    ["missing", []],
    ["missing", ["p=none; v=DMARC1"]],
    ["different", ["v=DMARC1;"]],
    ["different", ["v=DMARC1; p=all"]],
    ["several", ["v=DMARC1; p=none", "v=DMARC1; p=reject"]],
  ])("finds fault: %s in %j", (kind, values) => {
    const check = judgeDmarc(values);
    expect(check).toMatchObject({ ok: false, kind });
    if (kind === "several") expect(check.problem).toContain("Keep one.");
  });
});

describe("judgeMailExchange", () => {
  it("wants our host before all others", () => {
    const ours = { priority: 10, exchange: "mx.example.net" };
    expect(judgeMailExchange([ours], "mx.example.net")).toEqual({
      ok: true,
      found: ["10 mx.example.net"],
    });
    expect(
      judgeMailExchange([{ priority: 20, exchange: "b.example" }, ours], "mx.example.net").ok,
    ).toBe(true);
    expect(
      judgeMailExchange([{ priority: 10, exchange: "b.example" }, ours], "mx.example.net"),
    ).toMatchObject({ ok: false, kind: "several" });
    expect(
      judgeMailExchange([{ priority: 1, exchange: "b.example" }], "mx.example.net"),
    ).toMatchObject({ ok: false, kind: "different", found: ["1 b.example"] });
  });

  it("says what does not arrive", () => {
    const elsewhere = [{ priority: 1, exchange: "b.example" }];
    expect(judgeMailExchange(elsewhere, "mx.example.net").problem).toContain(
      "bounces do not reach",
    );
    expect(judgeMailExchange(elsewhere, "mx.example.net", "mail does").problem).toContain(
      "mail does not reach",
    );
  });
});
