import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { startersIn } from "@/components/mail-editor/starters";
import { deliverTo, letter } from "@/lib/testing/customer-mail";
import { aggregateReport, reportMail } from "@/lib/testing/domain-reports";
import { until } from "@/lib/testing/until";

/** A request to the dashboard's API as the owner. Throws what it is refused with. */
export type Ask = <Body>(method: string, path: string, data?: unknown) => Promise<Body>;

const day = 86_400_000;
const untilTaken = async (port: number, mail: string, to: string, from?: string) => {
  const taken = async () => (await deliverTo(port, mail, to, from)).code === 250;
  await until(taken, { what: "mail to be taken", seconds: 60, everyMilliseconds: 500 });
};

/** Two letters from outside, and one whose sender's domain disowns it, once the server takes mail for the domain. */
export async function bringMail(port: number): Promise<void> {
  const to = "hello@tea.example.com";
  const subjects = ["Which tea for the evening?", "Re: Your order has been shipped"];
  for (const [n, subject] of subjects.entries()) {
    const mail = letter({
      to,
      headers: { Subject: subject, "Message-ID": `<letter-${n}@writer.example>` },
      body: "Good evening,\r\n\r\nwhat would you drink after dinner?\r\n\r\nAda\r\n",
    });
    await untilTaken(port, mail, to);
  }
  const forged = letter({
    to,
    headers: { From: "Your bank <service@bank.example>", Subject: "Your account is blocked" },
    body: "Please sign in at once.\r\n",
  });
  await untilTaken(port, forged, to, "service@bank.example");
}

/** What receivers report of a domain: a week of DMARC, and of TLS. */
export async function bringReports(
  ask: Ask,
  port: number,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const dmarc = await ask<{
    reporting: { address: string };
    tls: { record: { value: string } };
  }>("GET", `/v1/domains/${id}/dmarc`);
  const tlsAddress = /mailto:(\S+)/.exec(dmarc.tls.record.value)?.[1] ?? "";
  const from = "dmarc@writer.example";
  for (let ago = 7; ago > 0; ago--) {
    const begin = new Date((Math.floor(Date.now() / day) - ago) * day);
    const content = aggregateReport({
      domain: name,
      id: String(ago),
      begin,
      mail: [
        { ip: "198.51.100.1", count: 900 + ((ago * 137) % 400), dkim: "pass", spf: "pass" },
        { ip: "192.0.2.7", count: 10 + ((ago * 7) % 20), disposition: "quarantine" },
      ],
    });
    await untilTaken(
      port,
      reportMail({ to: dmarc.reporting.address, content }),
      dmarc.reporting.address,
      from,
    );
    const failed = ago === 3 ? 4 : 0;
    const tls = {
      "organization-name": "Writer Mail",
      "date-range": {
        "start-datetime": begin.toISOString(),
        "end-datetime": new Date(begin.getTime() + day - 1_000).toISOString(),
      },
      "report-id": `tls-${ago}`,
      policies: [
        {
          policy: { "policy-type": "sts", "policy-domain": name },
          summary: {
            "total-successful-session-count": 40 + ((ago * 11) % 30),
            "total-failure-session-count": failed,
          },
          "failure-details":
            failed > 0
              ? [
                  {
                    "result-type": "certificate-expired",
                    "receiving-mx-hostname": "mx1.tea.example.com",
                    "failed-session-count": failed,
                  },
                ]
              : [],
        },
      ],
    };
    const mail = reportMail({
      to: tlsAddress,
      content: JSON.stringify(tls),
      type: "application/tlsrpt+gzip",
    });
    await untilTaken(port, mail, tlsAddress, from);
  }
}

/** Ways out of the house: a mail server of one's own, and Amazon's. */
export async function addConnections(ask: Ask): Promise<void> {
  const fallback = await ask<{ id: string }>("POST", "/v1/connections", {
    name: "Amazon SES, Ireland",
    kind: "ses",
    region: "eu-west-1",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  });
  await ask("POST", "/v1/connections", {
    name: "The shop's mail server",
    kind: "smtp",
    host: "mail.example.net",
    user: "shop",
    password: "not a real one",
    fallbackId: fallback.id,
  });
}

/** A template of the visual editor's, twice saved. Resolves to its wire id. */
export async function designedTemplate(ask: Ask): Promise<string> {
  const starter = startersIn("en").find(({ id }) => id === "newsletter");
  if (!starter) throw new Error("There is no newsletter among the designs.");
  const { subject, design } = starter;
  const made = await ask<{ id: string }>("POST", "/v1/templates", {
    ...{ name: "Monthly letter", subject, body: "-", design },
  });
  await ask("PUT", `/v1/templates/${made.id}`, {
    ...{ name: "Monthly letter", subject: "What is new in the shop", body: "-", design },
  });
  await ask("POST", "/v1/saved-blocks", {
    name: "Head and first story",
    content: design.content.slice(0, 2),
  });
  return made.id;
}

/** Links of a reader's: what they get when they sign up, and what stands below a mail. */
export async function readerPages(
  page: Page,
  ask: Ask,
  form: string,
): Promise<Readonly<Record<"formPage" | "confirm" | "preferences" | "view", string>>> {
  const linkIn = (search: string, part: RegExp) =>
    until(
      async () => {
        const found = await ask<{ data: { id: string }[] }>(
          "GET",
          `/v1/captured?search=${encodeURIComponent(search)}`,
        );
        for (const { id } of found.data) {
          const mail = await ask<{ text: string; html: string }>("GET", `/v1/captured/${id}`);
          const [link] = part.exec(`${mail.text} ${mail.html}`) ?? [];
          if (link) return link;
        }
        return null;
      },
      { what: `a mail for ${search}`, seconds: 120, everyMilliseconds: 1_000 },
    );
  const { url } = await ask<{ url: string }>("GET", `/v1/forms/${form}`);
  const asked = "delivered+tom@sandbox.test";
  await page.goto(url);
  // Sooner, a form counts as filled in by a program.
  await sleep(3_000);
  await page.locator("input[type=email]").fill(asked);
  await page.locator("button.primary").click();
  await page.waitForURL(/\/sent$/);

  const reader = "delivered+mina@sandbox.test";
  await ask("POST", "/v1/contacts", {
    ...{ email: reader, firstName: "Mina", subscribed: true, data: { reader: "mina" } },
  });
  const segment = await ask<{ id: string }>("POST", "/v1/segments", {
    name: "Mina alone",
    filter: { and: [{ field: "data.reader", op: "eq", value: "mina" }] },
  });
  const campaign = await ask<{ id: string }>("POST", "/v1/campaigns", {
    name: "Welcome to the tasting",
    subject: "Your place at the tasting",
    from: { email: "hello@sandbox.test", name: "Northwind Tea" },
    segmentId: segment.id,
    body: "<h1>See you on Friday</h1><p>Hello {{ firstName }}, a place is kept for you.</p><p><a href='{{ viewUrl }}'>View in browser</a></p>",
  });
  await ask("POST", `/v1/campaigns/${campaign.id}/send`);
  return {
    formPage: url,
    confirm: await linkIn(asked, /http[^\s"'<>]+\/f\/confirm\/[\w-]+/),
    preferences: await linkIn(reader, /http[^\s"'<>]+\/preferences\/[\w-]+/),
    view: await linkIn(reader, /http[^\s"'<>]+\/view\/[\w-]+/),
  };
}
