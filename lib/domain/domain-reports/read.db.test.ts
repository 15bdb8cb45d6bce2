import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { domainReports, domains, tlsReportRows } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { readReportMail } from "@/lib/mail/domain-reports/read";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { aggregateReport, reportMail, type ReportedMail } from "@/lib/testing/domain-reports";
import { makeProject } from "@/lib/testing";
import { getDmarc } from "./read";
import { findReportAddress, takeReport } from "./take";

const database = useTestDatabase();
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
});
afterAll(async () => {
  await dns.stop();
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
});

const proven = {
  spf: { result: "pass", domain: "writer.example" },
  dkim: [],
  dmarc: { result: "pass", domain: "writer.example", policy: "reject" },
  arc: { result: "none" },
} as const;
const daysAgo = (days: number) => new Date(Math.floor(Date.now() / 86_400_000 - days) * 86_400_000);

async function shop(found?: string) {
  const { ctx } = await makeProject(database.db);
  const { id } = await createDomain(ctx, { name: "shop.example" });
  const uuid = decodeId("domain", id) ?? "";
  if (found !== undefined) {
    const checks = { DMARC: { ok: true, found: [found] } };
    await database.db.update(domains).set({ checks }).where(eq(domains.id, uuid));
  }
  const { reporting } = await getDmarc(ctx, id, { days: 30 });
  const report = async (days: number, mail: ReportedMail[]) => {
    const address = await findReportAddress(database.db, reporting.address, "mail.sender.example");
    if (!address) throw new Error("The address is not ours.");
    const content = aggregateReport({
      domain: "shop.example",
      id: String(days),
      begin: daysAgo(days),
      mail,
    });
    const raw = Buffer.from(reportMail({ to: reporting.address, content }));
    const received = { mail: await readReportMail("dmarc", raw), checks: { ...proven, dkim: [] } };
    await takeReport(database.db, address, received);
  };
  const publish = async (value = reporting.record.value) => {
    const checks = { DMARC: { ok: true, found: [value] } };
    await database.db.update(domains).set({ checks }).where(eq(domains.id, uuid));
  };
  return { ctx, id, uuid, reporting, report, publish, read: () => getDmarc(ctx, id, { days: 30 }) };
}

const codes = ({ advice }: { advice: { code: string }[] }) => advice.map(({ code }) => code);

describe("the record to publish", () => {
  test("is the domain's own with our address beside those that it has", async () => {
    const { reporting, publish, read } = await shop(
      "v=DMARC1; p=reject; rua=mailto:me@shop.example; adkim=s",
    );
    expect(reporting).toMatchObject({ published: false, policy: "reject" });
    expect(reporting.record.value).toBe(
      `v=DMARC1; p=reject; rua=mailto:me@shop.example,mailto:${reporting.address}; adkim=s;`,
    );
    await publish();
    expect(await read()).toMatchObject({ reporting: { published: true }, totals: { messages: 0 } });
    expect(codes(await read())).toEqual(["no_reports"]);
  });

  test("keeps the policy that the domain takes on from above", async () => {
    const { reporting } = await shop(
      "_dmarc.example: v=DMARC1; p=none; sp=quarantine; rua=mailto:x@example",
    );
    expect(reporting.record.value).toBe(`v=DMARC1; p=quarantine; rua=mailto:${reporting.address};`);
  });
});

describe("what reports come to", () => {
  test("is added up by day and by server, and says whom to look at", async () => {
    const { report, publish, read, uuid } = await shop();
    await publish();
    const [row] = await database.db.select().from(domains).where(eq(domains.id, uuid));
    const signed = `<dkim><domain>shop.example</domain><selector>${row?.selector}</selector><result>pass</result></dkim>
      <spf><domain>bounces.shop.example</domain><result>pass</result></spf>`;
    await report(2, [
      { ip: "198.51.100.1", count: 900, dkim: "pass", spf: "pass", results: signed },
      { ip: "192.0.2.7", count: 700 },
    ]);
    await report(1, [
      { ip: "198.51.100.1", count: 100, dkim: "pass", results: signed },
      { ip: "192.0.2.7", count: 500, disposition: "reject" },
    ]);
    await report(40, [{ ip: "192.0.2.9", count: 5 }]);
    const seen = await read();
    expect(seen.totals).toEqual({
      ...{ messages: 2_200, aligned: 1_000, dkimAligned: 1_000, spfAligned: 900 },
      ...{ quarantined: 0, rejected: 500 },
    });
    expect(seen.days).toMatchObject([
      { aligned: 900, unaligned: 700 },
      { aligned: 100, unaligned: 500 },
    ]);
    expect(seen.sources).toMatchObject([
      { address: "192.0.2.7", ours: false, messages: 1_200, aligned: 0, rejected: 500, name: null },
      { address: "198.51.100.1", ours: true, messages: 1_000, aligned: 1_000 },
    ]);
    expect(seen.sources[1]?.domains).toEqual(["bounces.shop.example", "shop.example"]);
    expect(seen.period).toMatchObject({ reports: 2, reporters: ["writer.example"] });
    expect(seen.advice).toHaveLength(1);
    expect(seen.advice[0]?.code).toBe("unaligned_source");
    expect(seen.advice[0]?.message).toMatch(/^192\.0\.2\.7 sent 1,200 mails in your name without/);
  });

  test("says day by day which sessions with the domain's servers had TLS", async () => {
    const { ctx, uuid, read } = await shop();
    expect((await read()).tls).toMatchObject({ reports: 0, days: [] });
    const reports = [
      { age: 40, sessions: [["starttls-not-supported", 7]] },
      { age: 2, sessions: [[null, 50]] },
      {
        age: 1,
        sessions: [
          [null, 30],
          ["certificate-expired", 4],
          ["validation-failure", 1],
        ],
      },
      { age: 1, sessions: [["certificate-expired", 2]] },
    ] as const;
    for (const { age, sessions } of reports) {
      const id = newId(ctx.projectId);
      await database.db.insert(domainReports).values({
        ...{ id, projectId: ctx.projectId, domainId: uuid, kind: "tls", reportId: id },
        ...{ reporter: "writer.example", organization: "Writer", policy: null },
        ...{ beginsAt: daysAgo(age), endsAt: daysAgo(age - 1) },
      });
      await database.db.insert(tlsReportRows).values(
        sessions.map(([failure, amount], position) => ({
          ...{ reportId: id, position, policyType: "sts", sessions: amount, failure },
        })),
      );
    }
    const { tls } = await read();
    const day = (age: number) => daysAgo(age).toISOString().slice(0, 10);
    expect(tls.days).toEqual([
      { day: day(2), successful: 50, failed: 0 },
      { day: day(1), successful: 30, failed: 7 },
    ]);
    expect(tls).toMatchObject({ reports: 3, successful: 80, failed: 7 });
  });

  test("leads from one policy to the next where all is aligned for a week", async () => {
    const { report, publish, read } = await shop();
    await publish();
    for (let day = 1; day <= 6; day++)
      await report(day, [{ ip: "192.0.2.1", count: 5, dkim: "pass" }]);
    expect(codes(await read())).toEqual(["wait"]);
    await report(7, [{ ip: "192.0.2.1", count: 5, spf: "pass" }]);
    expect(codes(await read())).toEqual(["go_to_quarantine"]);
    const { record } = (await read()).reporting;
    await publish(record.value.replace("p=none", "p=quarantine"));
    expect(codes(await read())).toEqual(["go_to_reject"]);
    await publish(record.value.replace("p=none", "p=reject"));
    expect(codes(await read())).toEqual(["well"]);
    expect((await read()).advice[0]?.message).toMatch(/^Everything is aligned, and your policy/);
  });

  test("does not say that all is aligned where the table shows failures, however few", async () => {
    const { report, publish, read, reporting } = await shop();
    await publish(reporting.record.value.replace("p=none", "p=reject"));
    await report(1, [
      { ip: "192.0.2.1", count: 1_400, dkim: "pass" },
      { ip: "203.0.113.9", count: 3 },
    ]);
    const { advice } = await read();
    expect(advice.map(({ code }) => code)).toEqual(["well"]);
    expect(advice[0]?.message).toMatch(/^All but 3 of 1,403 mails are aligned/);
  });
});
