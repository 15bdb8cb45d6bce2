import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import type { DnsServer } from "@/lib/testing/dns-server";
import { root, type Product } from "../product";
import { publish, type PublishedRecord } from "../records";
import {
  addConnections,
  bringMail,
  bringReports,
  designedTemplate,
  readerPages,
  type Ask,
} from "./parts";

type Multipart = Record<string, { name: string; mimeType: string; buffer: Buffer }>;

const consent = "I would like letters about new teas, about twice a month.";

/** What a seed prints. */
export interface Seeded {
  /** Wire id. */
  projectId: string;
  loginUrl: string;
}

/** A project with people, mail and campaigns that have a history. */
export function seed(product: Product): Seeded {
  return JSON.parse(
    execFileSync(process.execPath, ["--import", "tsx", "bin/seed.ts", "--json"], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, DATA_DIR: product.dataDir },
      stdio: ["ignore", "pipe", "inherit"],
    }),
  ) as Seeded;
}

/**
 * Adds what a seed leaves out: a form, topics, an import, a domain with mail that came in, a scheduled campaign
 * and an A/B test that has run. `page` is signed in. Resolves to wire ids of what `pages.ts` names.
 */
export async function makeScene(
  page: Page,
  { product, projectId, dns }: { product: Product; projectId: string; dns: DnsServer },
): Promise<Readonly<Record<string, string>>> {
  const send = async <Body>(
    method: string,
    path: string,
    options: { data?: unknown; multipart?: Multipart } = {},
  ): Promise<Body> => {
    const answer = await page.request.fetch(`${product.url}/api/dashboard/${projectId}${path}`, {
      method,
      headers: { origin: product.url },
      ...options,
    });
    if (!answer.ok())
      throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json().catch(() => null)) as Body;
  };
  const ask: Ask = (method, path, data) => send(method, path, data === undefined ? {} : { data });
  const make = async (path: string, body: unknown) =>
    (await ask<{ id: string }>("POST", path, body)).id;
  const first = async (path: string) => {
    // The log may say that it has found nothing so far.
    for (let cursor: string | null = ""; cursor !== null;) {
      const more: string =
        cursor && `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
      const page: { data: { id: string }[]; nextCursor?: string | null } = await ask(
        "GET",
        path + more,
      );
      if (page.data[0]) return page.data[0].id;
      cursor = page.nextCursor ?? null;
    }
    throw new Error(`GET ${path} found nothing.`);
  };

  for (const name of ["New teas", "Tastings and events", "The club"]) {
    await ask("POST", "/v1/topics", { name });
  }
  const form = await make("/v1/forms", {
    name: "Below every article",
    listId: await first("/v1/lists"),
    questions: [{ key: "data.firstName", label: "First name", required: false }],
    texts: { title: "Letters about tea", lead: "What is new, and what to try first.", consent },
  });
  const rows = ["email,firstName,orders", "mina@example.net,Mina,3", "not an address,Tom,1"];
  const file = {
    name: "market-stall.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(rows.join("\n")),
  };
  const imported = await send<{ id: string }>("POST", "/v1/contacts/import", {
    multipart: { file },
  });

  const domain = await ask<{ id: string; records: PublishedRecord[] }>("POST", "/v1/domains", {
    name: "tea.example.com",
  });
  publish(dns, domain.records);
  await ask("POST", `/v1/domains/${domain.id}/verify`);
  await ask("PATCH", `/v1/domains/${domain.id}`, { inbound: true });
  // Whoever writes is believed only if their domain vouches for it.
  dns.txt("writer.example", "v=spf1 ip4:127.0.0.1 -all");
  dns.txt("_dmarc.writer.example", "v=DMARC1; p=reject;");
  dns.txt("bank.example", "v=spf1 -all");
  dns.txt("_dmarc.bank.example", "v=DMARC1; p=quarantine;");
  await bringMail(product.inboundPort);
  await bringReports(ask, product.inboundPort, { id: domain.id, name: "tea.example.com" });
  await addConnections(ask);

  const news = {
    name: "First flush has arrived",
    subject: "The first Darjeeling of the year",
    from: { email: "hello@sandbox.test", name: "Northwind Tea" },
    body: "<h1>It is here</h1><p>Hello {{ firstName | default: 'there' }}, 40 kg of it.</p><p><a href='https://tea.example.com/first-flush'>Try it</a></p>",
  };
  const test = await make("/v1/campaigns", {
    ...news,
    abTest: {
      variants: [{ subject: news.subject }, { subject: "40 kg, and then it is gone" }],
      testPercentage: 50,
      winnerMetric: "opens",
    },
  });
  await ask("POST", `/v1/campaigns/${test}/send`);
  const scheduled = await make("/v1/campaigns", { ...news, name: "Last leaves of the harvest" });
  const scheduledAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
  await ask("POST", `/v1/campaigns/${scheduled}/schedule`, { scheduledAt });
  const email = await first("/v1/emails?status=CLICKED");
  const clicked = await ask<{ email: { contact: { id: string } } }>("GET", `/v1/emails/${email}`);
  const contact = clicked.email.contact.id;
  await ask("POST", `/v1/contacts/${contact}/notes`, {
    text: "Prefers to be called in the afternoon. Asked for the price list of the club.",
  });
  await ask("POST", "/v1/overview/goals", { figure: "openRate", period: "month", target: 35 });
  await ask("POST", "/v1/overview/goals", { figure: "newContacts", period: "month", target: 250 });
  await ask("POST", "/v1/overview/goals", { figure: "bounceRate", period: "month", target: 2 });
  await ask("POST", "/v1/members/invitations", { email: "tom@example.com", role: "editor" });
  const webhook = await first("/v1/webhooks");
  await ask("POST", "/v1/inbound/routes", {
    pattern: "orders+*@tea.example.com",
    webhookId: webhook,
  });
  const segment = await first("/v1/segments");
  const campaign = await first("/v1/campaigns?status=SENT");
  const pages = await readerPages(page, ask, form);
  const report = await ask<{ url: string }>("POST", `/v1/campaigns/${campaign}/report-links`, {
    name: "For the board",
  });
  // Its half of the audience is on its way: the pages show what has come of it.
  await sleep(10_000);
  return {
    ...pages,
    report: report.url,
    campaign,
    draft: await first("/v1/campaigns?status=DRAFT"),
    test,
    contact,
    email,
    list: await first("/v1/lists"),
    segment,
    template: await first("/v1/templates"),
    domain: domain.id,
    inbound: await first("/v1/inbound"),
    webhook,
    captured: await first("/v1/captured"),
    design: await designedTemplate(ask),
    form,
    import: imported.id,
  };
}
