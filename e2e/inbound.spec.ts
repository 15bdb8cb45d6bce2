import { expect, signIn } from "./fixtures";
import { callApi, type Product } from "./product";
import { test } from "./real-mail";
import { publish, type PublishedRecord } from "./records";
import { deliverTo, letter } from "@/lib/testing/customer-mail";
import type { DnsServer } from "@/lib/testing/dns-server";
import { until } from "@/lib/testing/until";

interface DomainAnswer {
  id: string;
  status: string;
  records: PublishedRecord[];
}

async function verify(product: Product, dns: DnsServer, name: string): Promise<DomainAnswer> {
  const { body } = await callApi<DomainAnswer>(product, "POST", "/v1/domains", { name });
  publish(dns, body.records);
  const verified = await callApi<DomainAnswer>(product, "POST", `/v1/domains/${body.id}/verify`);
  expect(verified.body.status).toBe("VERIFIED");
  return verified.body;
}

const file = "What I meant: 1 + 1 = 2\n";

/** What a mail program sends as a reply: HTML with a script in it, and a file. */
const answer = (to: string, answered: string) =>
  letter({
    to,
    headers: {
      Subject: "Re: Your order",
      "Message-ID": "<answer-1@writer.example>",
      "In-Reply-To": answered,
      References: answered,
      "MIME-Version": "1.0",
      "Content-Type": 'multipart/mixed; boundary="part"',
    },
    body: [
      ...["--part", "Content-Type: text/html; charset=utf-8", ""],
      `<p style="color: rgb(0, 100, 0)">It came broken, see the file.</p>`,
      `<script>document.body.textContent = "A script ran"</script>`,
      `<img src="x" onerror="document.body.textContent = 'A handler ran'">`,
      ...[
        "--part",
        'Content-Type: text/plain; name="notes.txt"',
        "Content-Transfer-Encoding: base64",
      ],
      ...['Content-Disposition: attachment; filename="notes.txt"', ""],
      ...[Buffer.from(file).toString("base64"), "--part--", ""],
    ].join("\r\n"),
  });

test("an answer comes in, is read as a mail program shows it, and is answered in its conversation", async ({
  page,
  sender,
  dns,
  mailServer,
}) => {
  const address = "support@inbox.example.com";
  const domain = await verify(sender, dns, "inbox.example.com");
  await signIn(page, sender);
  const overview = page.url();

  // Nothing is accepted before somebody says so.
  const early = await deliverTo(sender.inboundPort, letter({ to: address }), address);
  expect(early.code).toBe(550);
  await page.goto(`${overview}/domains/${domain.id}`);
  await page.getByRole("switch", { name: "Take mail" }).click();
  await expect(
    page.getByText("10 mx.lettermill.example").or(page.getByText("mx.lettermill.example")).first(),
  ).toBeVisible();
  await expect(page.getByRole("switch", { name: "Take mail" })).toBeChecked();

  const sent = await callApi<{ data: { emails: { email: string }[] } }>(
    sender,
    "POST",
    "/v1/send",
    {
      ...{
        from: address,
        to: "ada@writer.example",
        subject: "Your order",
        body: "<p>It is on its way.</p>",
      },
    },
  );
  expect(sent.status).toBe(200);
  const emailId = sent.body.data.emails[0]?.email ?? "";
  const toAda = () => mailServer.mails.filter(({ to }) => to.includes("ada@writer.example"));
  const [first] = await until(() => (toAda().length > 0 ? toAda() : null), { what: "the mail" });
  const messageId = /^Message-ID: (<.*>)/im.exec(first?.raw.toString() ?? "")?.[1] ?? "";
  expect(messageId).toContain(emailId);

  await page.goto(`${overview}/inbound`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Inbound");
  const taken = await until(
    async () => {
      const reply = await deliverTo(sender.inboundPort, answer(address, messageId), address);
      return reply.code === 250 ? reply : null;
    },
    { what: "a domain that takes mail", seconds: 30, everyMilliseconds: 500 },
  );
  expect(taken.code).toBe(250);

  // The list finds it on its own.
  const row = page.getByRole("row").filter({ hasText: "Re: Your order" }).first();
  await expect(row).toBeVisible({ timeout: 20_000 });
  await expect(row).toContainText("Ada Lovelace");
  await expect(row).toContainText("Answer");
  await row.getByRole("link", { name: "Re: Your order" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Re: Your order");

  const mail = page.frameLocator("iframe");
  await expect(mail.getByText("It came broken, see the file.")).toHaveCSS(
    "color",
    "rgb(0, 100, 0)",
  );
  await page.getByRole("tab", { name: "Attachments (1)" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "notes.txt" }).click();
  const stream = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe(file);
  await expect(page.getByRole("link", { name: "an email of yours" })).toHaveAttribute(
    "href",
    new RegExp(`/emails/${emailId}$`),
  );

  await page.getByRole("button", { name: "Reply" }).click();
  const dialog = page.getByRole("dialog", { name: "Reply to ada@writer.example" });
  await dialog.getByRole("button", { name: "Send reply" }).click();
  await expect(dialog.getByText("is empty")).toBeVisible();
  await dialog.getByLabel("Message").fill("We send you another one.");
  await dialog.getByRole("button", { name: "Send reply" }).click();
  await expect(page.getByText("The reply to ada@writer.example is on its way")).toBeVisible();
  const replies = await until(() => (toAda().length > 1 ? toAda() : null), { what: "the reply" });
  const reply = replies[1]?.raw.toString() ?? "";
  expect(reply).toMatch(/^In-Reply-To: <answer-1@writer\.example>/im);
  expect(reply).toMatch(/^Subject: Re: Your order/im);
  expect(reply).toContain("We send you another one.");
  await expect(page.getByRole("heading", { name: "Replies" })).toBeVisible({ timeout: 35_000 });

  await page.getByRole("link", { name: "ada@writer.example", exact: true }).click();
  await page.getByRole("button", { name: "From them" }).click();
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText("Wrote Re: Your order");
  await page.goto(`${overview}/emails/${emailId}`);
  await expect(page.getByRole("link", { name: "Re: Your order" })).toBeVisible();
});
