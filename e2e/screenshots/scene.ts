import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { deliverTo, letter } from "@/lib/testing/customer-mail";
import type { DnsServer } from "@/lib/testing/dns-server";
import { until } from "@/lib/testing/until";
import { root, type Product } from "../product";
import { publish, type PublishedRecord } from "../records";

type Multipart = Record<string, { name: string; mimeType: string; buffer: Buffer }>;

const consent = "I would like letters about new teas, about twice a month.";

/** Two letters from outside, once the server takes mail for the domain. */
async function bringMail(port: number): Promise<void> {
  const to = "hello@tea.example.com";
  const subjects = ["Which tea for the evening?", "Re: Your order has been shipped"];
  for (const [n, subject] of subjects.entries()) {
    const mail = letter({
      to,
      headers: { Subject: subject, "Message-ID": `<letter-${n}@writer.example>` },
      body: "Good evening,\r\n\r\nwhat would you drink after dinner?\r\n\r\nAda\r\n",
    });
    const taken = async () => (await deliverTo(port, mail, to)).code === 250;
    await until(taken, { what: "mail to be taken", seconds: 30, everyMilliseconds: 500 });
  }
}

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
  const ask = <Body>(method: string, path: string, data?: unknown) =>
    send<Body>(method, path, data === undefined ? {} : { data });
  const make = async (path: string, body: unknown) =>
    (await ask<{ id: string }>("POST", path, body)).id;
  const first = async (path: string) => {
    const { data } = await ask<{ data: { id: string }[] }>("GET", path);
    const [found] = data;
    if (!found) throw new Error(`GET ${path} found nothing.`);
    return found.id;
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
  await bringMail(product.inboundPort);

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
  // Its half of the audience is on its way: the pages show what has come of it.
  await sleep(10_000);
  return {
    campaign: await first("/v1/campaigns?status=SENT"),
    draft: await first("/v1/campaigns?status=DRAFT"),
    test,
    contact: await first("/v1/contacts"),
    email: await first("/v1/emails?status=CLICKED"),
    list: await first("/v1/lists"),
    segment: await first("/v1/segments"),
    template: await first("/v1/templates"),
    domain: domain.id,
    inbound: await first("/v1/inbound"),
    webhook: await first("/v1/webhooks"),
    form,
    import: imported.id,
  };
}
