import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dmarcRows, domainReports, tlsReportRows } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import type { Listening } from "@/lib/doors/smtp/server";
import { reloadEnv } from "@/lib/ground/env/env";
import { metrics } from "@/lib/ground/metrics/metrics";
import { decodeId } from "@/lib/ground/ids/ids";
import { reportAddressOf } from "@/lib/mail/domain-reports/address";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { makeProject } from "@/lib/testing";
import { deliverTo } from "@/lib/testing/customer-mail";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { aggregateReport, reportMail } from "@/lib/testing/domain-reports";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { startInbound } from "./inbound-server";

const database = useTestDatabase();
const hostname = "mail.sender.example";
let inbound: Listening;
let dns: DnsServer;
let shops = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  dns.txt("writer.example", "v=spf1 ip4:127.0.0.1 -all");
  dns.txt("_dmarc.writer.example", "v=DMARC1; p=reject;");
  dns.txt("forged.example", "v=spf1 -all");
  dns.txt("_dmarc.forged.example", "v=DMARC1; p=none;");
  dns.misbehave("_dmarc.broken.example", "SERVFAIL");
  inbound = await startInbound({
    db: database.db,
    host: "127.0.0.1",
    port: 0,
    hostname,
    certificate: await relayCertificate(database.db),
  });
});
afterAll(async () => {
  await inbound.close();
  await dns.stop();
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
});

async function shop() {
  const { ctx } = await makeProject(database.db);
  const name = `reports${++shops}.example`;
  const created = await createDomain(ctx, { name });
  const id = decodeId("domain", created.id) ?? "";
  return {
    ...{ ctx, id, name, records: created.records },
    dmarc: reportAddressOf("dmarc", { id, name }),
    tls: reportAddressOf("tls", { id, name }),
  };
}

const deliver = (
  to: string,
  content: string | Buffer,
  more: { type?: string; from?: string } = {},
) =>
  deliverTo(
    inbound.port,
    reportMail({ to, content, ...more }),
    to,
    more.from ?? "dmarc@writer.example",
  );
const reportsOf = ({ id }: { id: string }) =>
  database.db.select().from(domainReports).where(eq(domainReports.domainId, id));

async function counted(kind: string, result: string): Promise<number> {
  const { values } = await metrics.domainReports.get();
  const value = values.find(({ labels }) => labels.kind === kind && labels.result === result);
  return value?.value ?? 0;
}

describe("an aggregate report", () => {
  test("to the address of the domain's record is kept, once", async () => {
    const domain = await shop();
    expect(domain.records.find(({ purpose }) => purpose === "DMARC")?.value).toBe(
      `v=DMARC1; p=none; rua=mailto:${domain.dmarc};`,
    );
    const content = aggregateReport({
      domain: domain.name,
      mail: [
        { ip: "192.0.2.10", count: 12, dkim: "pass", spf: "pass" },
        { ip: "2001:DB8::7", count: 1_200, disposition: "quarantine" },
      ],
    });
    for (let nth = 0; nth < 2; nth++) {
      expect(await deliver(domain.dmarc.toUpperCase(), content)).toMatchObject({ code: 250 });
    }
    await Promise.all(Array.from({ length: 4 }, () => deliver(domain.dmarc, content)));
    const [report, ...others] = await reportsOf(domain);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      ...{ kind: "dmarc", reporter: "writer.example", organization: "Writer Mail" },
      ...{ reportId: "1", policy: "none", projectId: domain.ctx.projectId },
    });
    const rows = await database.db
      .select()
      .from(dmarcRows)
      .where(eq(dmarcRows.reportId, report?.id ?? ""))
      .orderBy(dmarcRows.position);
    expect(rows).toMatchObject([
      { sourceAddress: "192.0.2.10", messages: 12, dkimAligned: "pass", spfAligned: "pass" },
      { sourceAddress: "2001:db8::7", messages: 1_200, disposition: "quarantine" },
    ]);
  });

  test("is refused, and changes nothing, where it is another domain's, forged, late or broken", async () => {
    const [domain, other] = [await shop(), await shop()];
    const own = aggregateReport({ domain: domain.name });
    const old = new Date(Date.now() - 70 * 86_400_000);
    const cases = [
      ["foreign", 550, aggregateReport({ domain: other.name }), {}],
      ["unproven", 550, own, { from: "dmarc@forged.example" }],
      ["unproven", 550, own, { from: "dmarc@nobody.example" }],
      ["untimely", 554, aggregateReport({ domain: domain.name, begin: old }), {}],
      ["malformed", 554, "<feedback><report_metadata></feedback>", {}],
      ["malformed", 554, gzipSync(own).subarray(0, 200), {}],
      ["no_report", 554, "Dear customer", { type: "application/octet-stream" }],
      ["too_large", 554, gzipSync(Buffer.alloc(40_000_000, "<a/>")), {}],
    ] as const;
    for (const [result, code, content, more] of cases) {
      const before = await counted("dmarc", result);
      expect({ result, ...(await deliver(domain.dmarc, content, more)) }).toMatchObject({ code });
      expect(await counted("dmarc", result)).toBe(before + 1);
    }
    expect(await reportsOf(domain)).toEqual([]);
    expect(await reportsOf(other)).toEqual([]);
  });

  test("is asked for again while its sender's records cannot be looked up", async () => {
    const domain = await shop();
    const own = aggregateReport({ domain: domain.name });
    const answer = await deliver(domain.dmarc, own, { from: "dmarc@broken.example" });
    expect(Math.floor(answer.code / 100)).toBe(4);
  });

  test("has an address that nobody can guess, at two hosts alone, and comes on its own", async () => {
    const domain = await shop();
    const [local = ""] = domain.dmarc.split("@");
    const client = await SmtpClient.open(inbound.port);
    await client.say("EHLO mx.writer.example");
    await client.say("MAIL FROM:<dmarc@writer.example>");
    const forged = local.replace(/[0-9a-f]{20}$/, "0".repeat(20));
    const crossed = local.replace(/^d/, "t");
    for (const address of [
      `${forged}@${hostname}`,
      `${crossed}@${hostname}`,
      `${local}@x.example`,
    ]) {
      expect(await client.say(`RCPT TO:<${address}>`)).toMatchObject({ code: 550 });
    }
    expect(await client.say(`RCPT TO:<${local}@${hostname}>`)).toMatchObject({ code: 250 });
    expect(await client.say(`RCPT TO:<fbl@${hostname}>`)).toMatchObject({ code: 452 });
    // What comes after RSET is another message.
    await client.say("RSET");
    await client.say("MAIL FROM:<dmarc@writer.example>");
    expect(await client.say(`RCPT TO:<fbl@${hostname}>`)).toMatchObject({ code: 250 });
    client.end();
  });

  test("is no longer taken where one sender brings fifty in a day", async () => {
    const domain = await shop();
    for (let nth = 0; nth < 50; nth++) {
      const content = aggregateReport({ domain: domain.name, id: String(nth) });
      expect(await deliver(domain.dmarc, content)).toMatchObject({ code: 250 });
    }
    const content = aggregateReport({ domain: domain.name, id: "51" });
    expect(await deliver(domain.dmarc, content)).toMatchObject({ code: 550 });
    expect(await reportsOf(domain)).toHaveLength(50);
  });
});

test("a report on TLS is kept with what failed, and why", async () => {
  const domain = await shop();
  const report = {
    "organization-name": "Writer Mail",
    "date-range": {
      "start-datetime": new Date(Date.now() - 86_400_000).toISOString(),
      "end-datetime": new Date().toISOString(),
    },
    "report-id": "2026-11-21T00:00:00Z_shop",
    policies: [
      {
        policy: { "policy-type": "sts", "policy-domain": domain.name },
        summary: { "total-successful-session-count": 5_326, "total-failure-session-count": 303 },
        "failure-details": [
          {
            "result-type": "certificate-expired",
            "receiving-mx-hostname": "MX1.shop.example",
            "failed-session-count": 100,
          },
        ],
      },
    ],
  };
  const type = "application/tlsrpt+gzip";
  expect(await deliver(domain.tls, JSON.stringify(report), { type })).toMatchObject({ code: 250 });
  const [kept] = await reportsOf(domain);
  expect(kept).toMatchObject({ kind: "tls", reportId: "2026-11-21T00:00:00Z_shop", policy: null });
  const rows = await database.db
    .select()
    .from(tlsReportRows)
    .where(eq(tlsReportRows.reportId, kept?.id ?? ""))
    .orderBy(tlsReportRows.position);
  expect(rows).toMatchObject([
    { sessions: 5_326, failure: null },
    { sessions: 100, failure: "certificate-expired", receivingHost: "mx1.shop.example" },
    { sessions: 203, failure: "unknown" },
  ]);
  // A DMARC report at this address is none on TLS.
  expect(await deliver(domain.tls, aggregateReport({ domain: domain.name }))).toMatchObject({
    code: 554,
  });
});
