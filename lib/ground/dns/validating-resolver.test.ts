import { afterAll, beforeAll, expect, it } from "vitest";
import { reloadEnv } from "@/lib/ground/env/env";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { createValidatingResolver, type ValidatingResolver } from "./validating-resolver";

let dns: DnsServer;
let resolver: ValidatingResolver | null;
const before = process.env["DNSSEC_RESOLVER"];

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNSSEC_RESOLVER"] = dns.address;
  reloadEnv();
  resolver = createValidatingResolver();
});
afterAll(async () => {
  await dns.stop();
  if (before === undefined) delete process.env["DNSSEC_RESOLVER"];
  else process.env["DNSSEC_RESOLVER"] = before;
  reloadEnv();
});

it("knows without asking that a name that is too long does not exist", async () => {
  const label = "a".repeat(63);
  const tooLong = `_25._tcp.${label}.${label}.${label}.${"a".repeat(61)}`;
  for (const name of [`${label}a.example.com`, tooLong]) {
    for (const type of ["mx", "addresses", "tlsa", "canonicalName", "alias"] as const) {
      expect(await resolver?.[type](name)).toMatchObject({ kind: "none", secure: true });
    }
  }
  expect(dns.questions).toEqual([]);
});

it("tells a failure from a name that does not exist", async () => {
  dns.misbehave("broken.example.com", "SERVFAIL");
  expect(await resolver?.mx("broken.example.com")).toEqual({ kind: "failed", reason: "ESERVFAIL" });
  expect(await resolver?.mx("missing.example.com")).toMatchObject({ kind: "none", secure: false });
});
