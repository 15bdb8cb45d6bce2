import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reloadEnv } from "@/lib/ground/env/env";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { createResolver } from "./resolver";

let dns: DnsServer;
const originalServers = process.env["DNS_SERVERS"];

beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.stop());
beforeEach(() => {
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
});
afterEach(() => {
  process.env["DNS_SERVERS"] = originalServers;
  reloadEnv();
  dns.clear();
});

describe("createResolver", () => {
  it("joins the strings of one record and keeps records apart", async () => {
    dns.txt("example.com", ["first ", "half"], "second");
    expect(await createResolver().txt("example.com")).toEqual({
      kind: "found",
      values: ["first half", "second"],
    });
  });

  it("tells a name that does not exist, and one without the type, from a failure", async () => {
    dns.mx("only-mx.example.com", { priority: 10, exchange: "mx.example.com" });
    expect(await createResolver().txt("nothing.example.com")).toEqual({ kind: "none" });
    expect(await createResolver().txt("only-mx.example.com")).toEqual({ kind: "none" });
    dns.misbehave("broken.example.com", "SERVFAIL");
    expect(await createResolver().txt("broken.example.com")).toEqual({
      kind: "failed",
      reason: "ESERVFAIL",
    });
    dns.misbehave("refused.example.com", "REFUSED");
    expect(await createResolver().txt("refused.example.com")).toEqual({
      kind: "failed",
      reason: "EREFUSED",
    });
  });

  it("gives up on a server that is silent", async () => {
    dns.misbehave("silent.example.com", "silent");
    const started = performance.now();
    const answer = await createResolver({ timeoutMilliseconds: 200 }).txt("silent.example.com");
    expect(answer.kind).toBe("failed");
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("gives up on a server that is not there", async () => {
    const gone = await startDnsServer();
    await gone.stop();
    process.env["DNS_SERVERS"] = gone.address;
    reloadEnv();
    const answer = await createResolver({ timeoutMilliseconds: 200 }).txt("example.com");
    expect(answer.kind).toBe("failed");
  });

  it("asks again over TCP for what is cut off over UDP", async () => {
    const long = Array.from({ length: 20 }, (_, part) => String(part % 10).repeat(255));
    dns.txt("long.example.com", long);
    dns.misbehave("long.example.com", "truncate");
    expect(await createResolver().txt("long.example.com")).toEqual({
      kind: "found",
      values: [long.join("")],
    });
    expect(dns.questions).toContain("TXT long.example.com tcp");
  });

  it("reads mail exchanges without regard to case and trailing dots", async () => {
    dns.mx("bounces.example.com", { priority: 10, exchange: "MX.Example.com." });
    expect(await createResolver().mx("bounces.example.com")).toEqual({
      kind: "found",
      values: [{ priority: 10, exchange: "mx.example.com" }],
    });
  });

  it("sees a change at once", async () => {
    dns.txt("live.example.com", "before");
    const resolver = createResolver();
    await resolver.txt("live.example.com");
    dns.txt("live.example.com", "after");
    expect(await resolver.txt("live.example.com")).toEqual({ kind: "found", values: ["after"] });
  });
});
