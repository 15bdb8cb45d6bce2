import { describe, expect, it } from "vitest";
import type { DnsResolver } from "@/lib/ground/dns/resolver";
import { Receivers } from "./receivers";

/** Mail of these domains goes to these hosts. */
function resolverOf(hosts: Record<string, string>) {
  const asked: string[] = [];
  const resolver: DnsResolver = {
    txt: async () => ({ kind: "none" }),
    cname: async () => ({ kind: "none" }),
    addresses: async () => ({ kind: "none" }),
    mx: async (name) => {
      asked.push(name);
      const exchange = hosts[name];
      return exchange
        ? {
            kind: "found",
            values: [
              { priority: 20, exchange: "spare.example.net" },
              { priority: 5, exchange },
            ],
          }
        : { kind: "none" };
    },
  };
  return { resolver, asked };
}

const words = "421 4.7.28 Too much mail";
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("receivers", () => {
  it("nobody is looked up, and nobody waits, before one has asked for less", async () => {
    const { resolver, asked } = resolverOf({});
    const receivers = new Receivers(resolver);
    expect(receivers.begin("ada@example.org")).toEqual({ waitSeconds: 0, probe: false });
    receivers.accepted("ada@example.org");
    await turn();
    expect(asked).toEqual([]);
  });

  it("one that refuses five times in a row waits with all domains of its operator, the others do not", async () => {
    const { resolver } = resolverOf({
      "gmail.com": "gmail-smtp-in.l.google.com",
      "company.example": "aspmx.l.google.com",
      "other.example": "mx.other.example",
    });
    const receivers = new Receivers(resolver);
    receivers.refused("ada@gmail.com", words);
    await turn();
    const refusals = Array.from({ length: 5 }, () => receivers.refused("ada@gmail.com", words));
    expect(refusals.map(({ receiver }) => receiver)).toEqual([false, false, false, false, true]);
    receivers.begin("bob@company.example");
    receivers.begin("eve@other.example");
    await turn();
    expect(receivers.begin("bob@company.example").waitSeconds).toBeGreaterThanOrEqual(5);
    expect(receivers.begin("eve@other.example")).toEqual({ waitSeconds: 0, probe: false });
  });

  it("those who wait come one after the other, and not all at once", () => {
    const receivers = new Receivers(resolverOf({}).resolver);
    for (let n = 0; n < 5; n++) receivers.refused("ada@slow.example", words);
    const waits = Array.from(
      { length: 1_200 },
      () => receivers.begin("ada@slow.example").waitSeconds,
    );
    // One a second, and nobody longer than a quarter of an hour.
    expect(waits[99]).toBeGreaterThan(95);
    expect(waits.at(-1)).toBe(900);
  });

  it("several that refuse without anything taken between may be the server itself", () => {
    const receivers = new Receivers(resolverOf({}).resolver);
    expect(receivers.refused("ada@one.example", words).several).toBe(false);
    expect(receivers.refused("ada@one.example", words).several).toBe(false);
    expect(receivers.refused("ada@two.example", words).several).toBe(true);
    receivers.accepted("ada@three.example");
    expect(receivers.refused("ada@two.example", words).several).toBe(false);
  });
});
