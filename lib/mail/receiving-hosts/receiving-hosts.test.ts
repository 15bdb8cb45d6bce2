import { describe, expect, it } from "vitest";
import type { DnsAnswer, DnsResolver, MailExchange } from "@/lib/ground/dns/resolver";
import { ReceivingHosts } from "./receiving-hosts";
import { matchesPolicy } from "./sts-policies";

function resolverOf(records: Record<string, DnsAnswer<MailExchange>>) {
  const asked: string[] = [];
  const resolver: DnsResolver = {
    cname: async () => ({ kind: "none" }),
    txt: async () => ({ kind: "none" }),
    addresses: async (name) =>
      name === "bare.example" ? { kind: "found", values: ["192.0.2.1"] } : { kind: "none" },
    mx: async (name) => {
      asked.push(name);
      return records[name] ?? { kind: "none" };
    },
  };
  return { asked, hosts: new ReceivingHosts(resolver) };
}

const exchanges = (...values: [number, string][]): DnsAnswer<MailExchange> => ({
  kind: "found",
  values: values.map(([priority, exchange]) => ({ priority, exchange })),
});
const namesOf = (route: Awaited<ReturnType<ReceivingHosts["find"]>>) =>
  route.kind === "hosts" ? route.hosts.map(({ name }) => name) : route.enhancedCode;

describe("the servers of a domain", () => {
  it("come by preference, equals in any order, and are asked for once", async () => {
    const orders = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const { asked, hosts } = resolverOf({
        "a.example": exchanges([20, "spare"], [10, "one"], [10, "two"]),
      });
      const [route] = await Promise.all([hosts.find("a.example"), hosts.find("a.example")]);
      await hosts.find("a.example");
      expect(asked).toEqual(["a.example"]);
      orders.add(String(namesOf(route)));
    }
    expect([...orders].toSorted()).toEqual(["one,two,spare", "two,one,spare"]);
  });

  it("are the domain itself without MX records, and none where it says so or is an address", async () => {
    const { hosts } = resolverOf({
      "null.example": exchanges([0, ""]),
      "mixed.example": exchanges([0, ""], [5, "mx"]),
      "literal.example": exchanges([0, "192.0.2.1"]),
      "away.example": { kind: "failed", reason: "ESERVFAIL" },
    });
    const domains = ["bare", "gone", "null", "mixed", "literal", "away"].map((d) => `${d}.example`);
    const routes = await Promise.all([...domains, "[192.0.2.1]"].map((d) => hosts.find(d)));
    expect(routes.map(namesOf)).toEqual([
      ["bare.example"],
      "5.1.2",
      "5.1.10",
      ["mx"],
      "5.4.4",
      "4.4.3",
      "5.1.3",
    ]);
  });

  it("keep no more than twenty thousand domains", async () => {
    const { asked, hosts } = resolverOf({});
    for (let n = 0; n <= 20_000; n++) await hosts.find(`d${n}.example`);
    await hosts.find("d20000.example");
    expect(asked).toHaveLength(20_001);
    await hosts.find("d0.example");
    expect(asked).toHaveLength(20_002);
  });
});

describe("a policy names a host", () => {
  const policy = { mode: "enforce", mx: ["mx.example.com", "*.example.net"] } as const;
  it.each([
    ["mx.example.com", true],
    ["a.mx.example.com", false],
    ["one.example.net", true],
    ["one.two.example.net", false],
    ["example.net", false],
  ])("%s: %s", (host, expected) => expect(matchesPolicy(policy, host)).toBe(expected));
});
