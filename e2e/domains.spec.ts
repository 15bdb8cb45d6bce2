import { Resolver } from "node:dns/promises";
import { authenticate } from "mailauth";
import PostalMime from "postal-mime";
import { expect, signIn } from "./fixtures";
import { callApi, type Product } from "./product";
import { test } from "./real-mail";
import { publish, type PublishedRecord } from "./records";
import { until } from "@/lib/testing/until";

interface DomainPage {
  data: {
    id: string;
    name: string;
    status: string;
    records: PublishedRecord[];
  }[];
}
interface Sent {
  data: { emails: { email: string }[] };
}

const firstDomain = async (product: Product, name: string) => {
  const { body } = await callApi<DomainPage>(product, "GET", "/v1/domains");
  return body.data.find((domain) => domain.name === name);
};

test("a domain is verified through DNS, and its mail is authenticated by a library of others", async ({
  page,
  sender,
  dns,
  mailServer,
}) => {
  await signIn(page, sender);
  const overview = page.url();
  await page.goto(`${overview}/domains`);
  await page.getByRole("button", { name: "Add domain" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Domain").fill("mail.example.com");
  await dialog.getByRole("button", { name: "Add domain" }).click();
  await expect(page).toHaveURL(/\/domains\/dom_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("mail.example.com");

  const message = {
    from: { email: "hello@mail.example.com", name: "Grüße aus der Mühle" },
    to: { email: "ada@example.net", name: "Ada Lovelace" },
    subject: "Hello {{ firstName | default: 'Ada' }} – 你好",
    body: "<h1>It works</h1><p>Pressed for {{ email }}.</p>",
  };
  const early = await callApi<{ error: { code: string } }>(sender, "POST", "/v1/send", message);
  expect([early.status, early.body.error.code]).toEqual([403, "DOMAIN_NOT_VERIFIED"]);

  await page.getByRole("button", { name: "Verify now" }).click();
  await expect(page.getByText("Missing").first()).toBeVisible();

  const domain = await firstDomain(sender, "mail.example.com");
  publish(dns, domain?.records ?? []);
  await page.getByRole("button", { name: "Verify now" }).click();
  await expect(page.getByText("You can send from this domain")).toBeVisible();

  const sent = await callApi<Sent>(sender, "POST", "/v1/send", message);
  expect(sent.status).toBe(200);
  // Other journeys have sent through the same server.
  const isOurs = ({ from }: { from: string }) => /@[\w.-]*mail\.example\.com$/.test(from);
  const mail = await until(() => mailServer.mails.find(isOurs), {
    what: "the mail at the SMTP server",
  });
  expect(mail.to).toEqual(["ada@example.net"]);

  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  const result = await authenticate(mail.raw, {
    ip: "127.0.0.1",
    helo: "localhost",
    sender: mail.from,
    mta: "mx.example.net",
    resolver: (name: string, type: string) => resolver.resolve(name, type) as never,
  });
  const [signature] = result.dkim.results;
  expect(signature?.status.result).toBe("pass");
  expect(signature?.signingDomain).toBe("mail.example.com");
  expect(signature?.status.aligned).toBe("mail.example.com");
  expect(result.spf && result.spf.status.result).toBe("pass");
  expect(result.dmarc && result.dmarc.status.result).toBe("pass");

  const parsed = await PostalMime.parse(mail.raw);
  expect(parsed.from).toEqual({ address: message.from.email, name: message.from.name });
  expect(parsed.to?.[0]).toMatchObject({ address: "ada@example.net", name: "Ada Lovelace" });
  expect(parsed.subject).toBe("Hello Ada – 你好");
  expect(parsed.html).toContain("Pressed for ada@example.net.");
  expect(parsed.text).toContain("Pressed for ada@example.net.");
  expect(
    mail.raw
      .toString("latin1")
      .split("\r\n")
      .every((line) => line.length <= 998),
  ).toBe(true);

  const id = sent.body.data.emails[0]?.email;
  const record = await until(
    async () => {
      const { body } = await callApi<{ email: { status: string; events: { name: string }[] } }>(
        sender,
        "GET",
        `/v1/emails/${id}`,
      );
      return body.email.status === "SENT" ? body.email : null;
    },
    { what: "the record is SENT" },
  );
  expect(record.events.map(({ name }) => name)).toEqual(["queued", "sent"]);
});

test("links in a domain's mail lead to a name of its own, once it leads here", async ({
  page,
  sender,
  dns,
  mailServer,
}) => {
  await signIn(page, sender);
  const overview = page.url();
  const name = "post.example.com";
  const created = await callApi<DomainPage["data"][number]>(sender, "POST", "/v1/domains", {
    name,
  });
  publish(dns, created.body.records);
  await page.goto(`${overview}/domains/${created.body.id}`);
  await page.getByRole("button", { name: "Verify now" }).click();
  await expect(page.getByText("You can send from this domain")).toBeVisible();

  await page.getByRole("button", { name: "Use your own name" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("links.elsewhere.example");
  await dialog.getByRole("button", { name: "Save name" }).click();
  await expect(dialog.getByText(`is not a name below ${name}`)).toBeVisible();
  await dialog.getByLabel("Name").fill(`links.${name}`);
  await expect(dialog.getByText(`//links.${name}:`)).toBeVisible();
  await dialog.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("Not in use yet")).toBeVisible();
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("There is no CNAME record at this name.")).toBeVisible();

  publish(dns, (await firstDomain(sender, name))?.records ?? []);
  dns.addresses(`links.${name}`, "127.0.0.1");
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("In use", { exact: true })).toBeVisible();

  await callApi(sender, "POST", "/v1/send", {
    from: `hello@${name}`,
    to: "ada@example.net",
    subject: "Links",
    body: '<p><a href="https://shop.example/a">Shop</a></p>',
  });
  const mail = await until(
    () => mailServer.mails.find(({ raw }) => raw.includes("Subject: Links")),
    { what: "the mail at the SMTP server" },
  );
  const { html = "" } = await PostalMime.parse(mail.raw);
  const link = new URL(/href="([^"]*)"/.exec(html)?.[1] ?? "");
  expect(link.host).toBe(`links.${name}:${new URL(sender.url).port}`);
  const answer = await page.request.get(`${sender.url}${link.pathname}`, {
    headers: { host: link.host },
    maxRedirects: 0,
  });
  expect([answer.status(), answer.headers()["location"]]).toEqual([302, "https://shop.example/a"]);
  const dashboard = await page.request.get(overview, { headers: { host: link.host } });
  expect([dashboard.status(), await dashboard.text()]).toEqual([404, ""]);

  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("In use", { exact: true })).toBeHidden();

  // Mail leaves: Overview's figures speak of no captured mailbox.
  await page.goto(`${sender.url}/dashboard/${sender.projectId}`);
  const sent = page.locator("dl > div", { has: page.getByText("Sent", { exact: true }) });
  await expect(sent.locator("dd").first()).toHaveText(/^[1-9]/);
  await expect(page.getByText("Nobody outside has received it.")).toHaveCount(0);
});

test("a domain that was not verified in this project cannot be sent from", async ({ sender }) => {
  const { status, body } = await callApi<{ error: { code: string } }>(sender, "POST", "/v1/send", {
    from: "hello@elsewhere.example",
    to: "ada@example.net",
    subject: "Hello",
    body: "<p>Hello</p>",
  });
  expect([status, body.error.code]).toEqual([403, "DOMAIN_NOT_VERIFIED"]);
});
