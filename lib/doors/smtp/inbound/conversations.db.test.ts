import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inboundEmails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { getEmail } from "@/lib/domain/emails/read";
import { getInbound, listInbound } from "@/lib/domain/inbound/read";
import { replyToInbound } from "@/lib/domain/inbound/reply";
import { createInboundRoute } from "@/lib/domain/inbound/routes";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import type { Listening } from "@/lib/doors/smtp/server";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { messageIdOf } from "@/lib/mail/message/message-id";
import { deliverTo, letter, makeMailbox } from "@/lib/testing/customer-mail";
import { send } from "@/lib/testing/delivery";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { deliverDue, startEndpoint } from "@/lib/testing/webhooks";
import { startInbound } from "./inbound-server";

const database = useTestDatabase();
let inbound: Listening;
let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  inbound = await startInbound({
    db: database.db,
    host: "127.0.0.1",
    port: 0,
    hostname: "mail.sender.example",
    certificate: await relayCertificate(database.db),
  });
});
afterAll(async () => {
  await inbound.close();
  await dns.stop();
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
});

const mailbox = () => makeMailbox(database.db);
const deliver = (message: string, to: string | string[], from?: string) =>
  deliverTo(inbound.port, message, to, from);
const mailOf = async (ctx: Context) => (await listInbound(ctx, { limit: 100 })).data;

async function onlyMail(ctx: Context) {
  const mails = await mailOf(ctx);
  expect(mails).toHaveLength(1);
  return getInbound(ctx, mails[0]?.id ?? "");
}

describe("webhooks", () => {
  test("hear what a mail says, with the email it answers", async () => {
    const { ctx, address } = await mailbox();
    const endpoint = await startEndpoint();
    await createWebhook(ctx, { url: endpoint.url, events: ["email.received"] });
    const [emailId = ""] = await send(ctx, {
      from: "hello@sandbox.test",
      to: "ada@writer.example",
      metadata: { order: "1815" },
    });
    const messageId = messageIdOf(emailId, "hello@sandbox.test");
    const headers = { "In-Reply-To": `<${messageId}>`, References: `<a@b> <${messageId}>` };
    await deliver(letter({ to: address, headers }), address);
    await deliverDue(database.db);
    const mail = await onlyMail(ctx);
    expect(mail.emailId).toBe(encodeId("email", emailId));
    expect(mail.contact?.email).toBe("ada@writer.example");
    expect(mail.deliveries).toMatchObject([{ url: endpoint.url, status: "DELIVERED" }]);
    expect(endpoint.calls.map(({ payload }) => payload)).toMatchObject([
      {
        type: "email.received",
        data: {
          id: mail.id,
          emailId: mail.emailId,
          messageId: mail.messageId,
          contact: mail.contact,
          campaignId: null,
          metadata: { order: "1815" },
          from: { email: "ada@writer.example", name: "Ada Lovelace" },
          to: [address],
          subject: "Your order",
          text: "Where is it?\n",
          html: null,
          truncated: false,
          inReplyTo: messageId,
          references: ["a@b", messageId],
          automatic: false,
          attachments: [],
        },
      },
    ]);
    await endpoint.stop();
  });

  test("get the mail that is routed to them alone; what has no route goes to all who listen", async () => {
    const { ctx, name } = await mailbox();
    const urls = ["https://a.example/all", "https://a.example/support", "https://a.example/vip"];
    const hooks = await Promise.all(
      urls.map((url, index) =>
        createWebhook(ctx, { url, events: index === 0 ? ["*"] : ["contact.created"] }),
      ),
    );
    await createInboundRoute(ctx, { pattern: "support+*@", webhookId: hooks[1]?.id ?? "" });
    await createInboundRoute(ctx, {
      pattern: `Support+VIP*@${name}`,
      webhookId: hooks[2]?.id ?? "",
    });
    const told = async (...locals: string[]) => {
      const to = locals.map((local) => `${local}@${name}`);
      await deliver(letter({ to: to.join() }), to);
      const [newest] = await mailOf(ctx);
      const { deliveries } = await getInbound(ctx, newest?.id ?? "");
      return deliveries.map(({ url }) => url.split("/").at(-1)).sort();
    };
    expect(await told("support+1")).toEqual(["support"]);
    expect(await told("Support+vip7")).toEqual(["vip"]);
    expect(await told("sales")).toEqual(["all"]);
    expect(await told("support+1", "support+2", "support+vip1")).toEqual(["support", "vip"]);
    expect(await told("support+1", "sales")).toEqual(["all", "support"]);
  });
});

describe("conversations", () => {
  test("are answered from the address that was written to, in the same thread", async () => {
    const { ctx, address } = await mailbox();
    const headers = { "Reply-To": "Ada <reply@sandbox.test>", References: "<first@x> <second@x>" };
    await deliver(letter({ to: address, headers }), address);
    const mail = await onlyMail(ctx);
    const { result } = await replyToInbound(ctx, mail.id, { text: "On its way, {{ firstName }}." });
    const emailId = result.data.emails[0]?.email ?? "";
    const email = await getEmail(ctx, emailId);
    expect(email).toMatchObject({
      subject: "Re: Your order",
      from: address,
      contact: { email: "reply@sandbox.test" },
    });
    const [message] = await database.db.execute<{ headers: object; text: string; liquid: boolean }>(
      sql`select m.headers, m.text, m.liquid from messages m join emails e on e.message_id = m.id
        where e.id = ${decodeId("email", emailId)}`,
    );
    expect(message).toEqual({
      headers: {
        "In-Reply-To": `<${mail.messageId}>`,
        References: `<first@x> <second@x> <${mail.messageId}>`,
      },
      text: "On its way, {{ firstName }}.",
      liquid: false,
    });
    expect((await getInbound(ctx, mail.id)).replies).toMatchObject([{ emailId }]);
  });

  test.each([
    ["a bounce", {}, ""],
    ["an out-of-office reply", { "Auto-Submitted": "auto-replied" }, "ada@writer.example"],
    ["a mailing list", { "List-Id": "<news.writer.example>" }, "ada@writer.example"],
  ])("are not begun with %s", async (_, headers, envelopeFrom) => {
    const { ctx, address } = await mailbox();
    await deliver(letter({ to: address, headers }), address, envelopeFrom);
    const mail = await onlyMail(ctx);
    expect(mail.automatic).toBe(true);
    await expect(replyToInbound(ctx, mail.id, { text: "Thanks!" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  test("that go in circles are ended", async () => {
    const { ctx, address } = await mailbox();
    const message = letter({ to: address });
    const hop = (count: number) =>
      Array.from({ length: count }, (_, at) => `Received: from a by b; hop ${at}\r\n`).join("");
    const codes: number[] = [];
    for (let count = 0; count < 5; count++) {
      codes.push((await deliver(hop(count) + message, address)).code);
    }
    expect(codes).toEqual([250, 250, 250, 554, 554]);
    expect(await mailOf(ctx)).toHaveLength(3);
    expect(await deliver(hop(101) + letter({ to: address }), address)).toMatchObject({ code: 554 });
  });

  test("go on where Amazon SES gave the email another Message-ID, in the project that sent it", async () => {
    const [ours, others] = [await mailbox(), await mailbox()];
    const sent = async (providerId: string) => {
      const [id = ""] = await send(ours.ctx, { from: "hello@sandbox.test", to: "a@b.example" });
      await database.db.execute(
        sql`update emails set provider_id = ${providerId} where id = ${id}`,
      );
      return encodeId("email", id);
    };
    const [first, second] = [await sent("0107-first"), await sent("0107-second")];
    const answerTo = async (headers: Record<string, string>, { ctx, address } = ours) => {
      await deliver(letter({ to: address, headers }), address);
      const [newest] = await mailOf(ctx);
      return (await getInbound(ctx, newest?.id ?? "")).emailId;
    };
    const reply = { "In-Reply-To": "<0107-second@eu-central-1.amazonses.com>" };
    expect(await answerTo(reply)).toBe(second);
    expect(await answerTo(reply, others)).toBeNull();
    // A colleague's answer, in the thread that an earlier email of ours began.
    const thread = {
      "In-Reply-To": "<colleague@writer.example>",
      References: "<0107-first@email.amazonses.com> <colleague@writer.example>",
    };
    expect(await answerTo(thread)).toBe(first);
    expect(await answerTo({ "In-Reply-To": "<stranger@eu-central-1.amazonses.com>" })).toBeNull();
  });

  test("stand on the contact's page, and leave with the contact", async () => {
    const { ctx, projectId, address } = await mailbox();
    await deliver(letter({ to: address }), address);
    const { contact } = await upsertContact(ctx, { email: "ADA@writer.example" });
    const { contact: other } = await upsertContact(ctx, { email: "other@writer.example" });
    const written = async (contactId: string) =>
      (await listInbound(ctx, { limit: 20, contactId })).data.length;
    expect(await written(contact.id)).toBe(1);
    expect(await written(other.id)).toBe(0);
    await deleteContact(ctx, contact.id);
    const left = await database.db.$count(inboundEmails, eq(inboundEmails.projectId, projectId));
    expect(left).toBe(0);
  });
});
