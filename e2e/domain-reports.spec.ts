import { deliverTo } from "@/lib/testing/customer-mail";
import { aggregateReport, reportMail } from "@/lib/testing/domain-reports";
import { until } from "@/lib/testing/until";
import { faults, overflow } from "./axe";
import { expect, signIn } from "./fixtures";
import { callApi } from "./product";
import { test } from "./real-mail";
import { publish, type PublishedRecord } from "./records";

interface Seen {
  reporting: { address: string };
  tls: { record: { value: string } };
}

test("reports that receivers send are shown: who sends in the domain's name, how TLS fares, and what to do", async ({
  page,
  sender,
  dns,
}) => {
  test.setTimeout(120_000);
  const name = "reported.example.com";
  const { body: domain } = await callApi<{ id: string; records: PublishedRecord[] }>(
    ...([sender, "POST", "/v1/domains", { name }] as const),
  );
  publish(dns, domain.records);
  await callApi(sender, "POST", `/v1/domains/${domain.id}/verify`);
  dns.txt("writer.example", "v=spf1 ip4:127.0.0.1 -all");
  dns.txt("_dmarc.writer.example", "v=DMARC1; p=reject;");
  const { body: seen } = await callApi<Seen>(sender, "GET", `/v1/domains/${domain.id}/dmarc`);
  const bring = (to: string, content: string, type?: string) =>
    until(
      async () => {
        const mail = reportMail({ to, content, ...(type ? { type } : {}) });
        const answer = await deliverTo(sender.inboundPort, mail, to, "dmarc@writer.example");
        return answer.code === 250;
      },
      { what: "a report to be taken", seconds: 30, everyMilliseconds: 500 },
    );
  const mail = [
    { ip: "198.51.100.1", count: 900, dkim: "pass" },
    { ip: "192.0.2.7", count: 70, disposition: "quarantine" },
  ] as const;
  await bring(seen.reporting.address, aggregateReport({ domain: name, mail: [...mail] }));
  const tls = {
    "organization-name": "Writer Mail",
    "date-range": {
      "start-datetime": new Date(Date.now() - 86_400_000).toISOString(),
      "end-datetime": new Date().toISOString(),
    },
    "report-id": "tls-1",
    policies: [
      {
        policy: { "policy-type": "sts", "policy-domain": name },
        summary: { "total-successful-session-count": 40, "total-failure-session-count": 3 },
        "failure-details": [
          {
            "result-type": "certificate-expired",
            "receiving-mx-hostname": "mx1.example.com",
            "failed-session-count": 3,
          },
        ],
      },
    ],
  };
  const tlsAddress = /mailto:(\S+)/.exec(seen.tls.record.value)?.[1] ?? "";
  await bring(tlsAddress, JSON.stringify(tls), "application/tlsrpt+gzip");

  await signIn(page, sender);
  await page.goto(`${page.url()}/domains/${domain.id}`);
  const servers = page.getByRole("table", { name: "Servers that send in your name" });
  await expect(servers.getByRole("row").filter({ hasText: "192.0.2.7" })).toContainText(
    "70 to spam",
  );
  await expect(page.getByText(/sent 70 mails in your name without/)).toBeVisible();
  await expect(page.getByText("3 of 43 sessions were not encrypted")).toBeVisible();
  await expect(page.getByText("The certificate has expired. Renew it")).toBeVisible();
  const chart = page
    .getByRole("figure")
    .filter({ hasText: "Sessions with your mail servers by day" });
  await expect(chart).toContainText("Encrypted");
  await expect(chart).toContainText("Failed");

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await faults(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 375, height: 740 });
  expect.soft(await overflow(page)).toBeLessThanOrEqual(0);
});
