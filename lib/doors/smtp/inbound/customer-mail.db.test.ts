import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { dkimSign } from "mailauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { findLinkedFile } from "@/lib/domain/inbound/attachment-links";
import { deleteInbound, getInbound, listInbound } from "@/lib/domain/inbound/read";
import { createInboundRoute } from "@/lib/domain/inbound/routes";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import type { Listening } from "@/lib/doors/smtp/server";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { returnPathOf } from "@/lib/mail/return-path";
import { readAttachmentToken } from "@/lib/mail/tracking/tokens";
import { deliverTo, letter, makeMailbox } from "@/lib/testing/customer-mail";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { send } from "@/lib/testing/delivery";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { startInbound } from "./inbound-server";

const database = useTestDatabase();
const hostname = "mail.sender.example";
let inbound: Listening;
let dns: DnsServer;
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  const sender = "writer.example";
  dns.txt(sender, "v=spf1 ip4:127.0.0.1 -all");
  dns.txt(`_dmarc.${sender}`, "v=DMARC1; p=reject;");
  const key = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  dns.txt(`s1._domainkey.${sender}`, [
    `v=DKIM1; p=${key}`.slice(0, 255),
    `v=DKIM1; p=${key}`.slice(255),
  ]);
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

const mailbox = (state?: Parameters<typeof makeMailbox>[1]) => makeMailbox(database.db, state);
const deliver = (message: string, to: string | string[], from?: string) =>
  deliverTo(inbound.port, message, to, from);

async function onlyMail(ctx: Context) {
  const { data } = await listInbound(ctx, { limit: 20 });
  expect(data).toHaveLength(1);
  return getInbound(ctx, data[0]?.id ?? "");
}

const mailOf = async (ctx: Context) => (await listInbound(ctx, { limit: 100 })).data;

describe("mail for a domain", () => {
  test("is refused before DATA unless the domain is verified and takes mail", async () => {
    const boxes = [
      await mailbox({ status: "PENDING" }),
      await mailbox({ inbound: false }),
      { address: "support@unknown.example" },
      { address: "hello@sandbox.test" },
    ];
    const client = await SmtpClient.open(inbound.port);
    await client.say("EHLO mx.writer.example");
    await client.say("MAIL FROM:<ada@writer.example>");
    for (const { address } of boxes) {
      expect(await client.say(`RCPT TO:<${address}>`)).toMatchObject({ code: 550 });
    }
    const open = await mailbox();
    expect(await client.say(`RCPT TO:<Support@${open.name.toUpperCase()}>`)).toMatchObject({
      code: 250,
    });
    client.end();
  });

  test("to its postmaster and for abuse is taken whatever routes there are, from nobody too", async () => {
    const open = await mailbox();
    const endpoint = await createWebhook(open.ctx, {
      url: "https://example.com/support",
      events: ["email.received"],
    });
    await createInboundRoute(open.ctx, { pattern: "support@", webhookId: endpoint.id });
    for (const name of ["postmaster", "Postmaster", "abuse"]) {
      const address = `${name}@${open.name}`;
      expect(await deliverTo(inbound.port, letter({ to: address }), address, "")).toMatchObject({
        code: 250,
      });
    }
    const mails = await mailOf(open.ctx);
    expect(mails).toHaveLength(3);
  });

  test("to a postmaster without a domain is for this host, whose mail some project takes or nobody", async () => {
    const client = await SmtpClient.open(inbound.port);
    await client.say("EHLO mx.writer.example");
    await client.say("MAIL FROM:<>");
    const reserved = ["postmaster", `postmaster@${hostname}`, `abuse@${hostname}`];
    for (const address of reserved) {
      const { code, lines } = await client.say(`RCPT TO:<${address}>`);
      expect(code).toBe(550);
      expect(lines[0]).toMatch(/^5\.1\.1 Nobody reads mail for this host/);
    }
    client.end();
    const open = await mailbox();
    await database.db.update(domains).set({ name: hostname }).where(eq(domains.name, open.name));
    const message = letter({ to: "postmaster" });
    expect(await deliverTo(inbound.port, message, "Postmaster", "")).toMatchObject({ code: 250 });
    const [mail, ...others] = await mailOf(open.ctx);
    expect(others).toEqual([]);
    expect((await getInbound(open.ctx, mail?.id ?? "")).to).toEqual([`postmaster@${hostname}`]);
    await database.db.delete(domains).where(eq(domains.name, hostname));
  });

  test("is kept with what SPF, DKIM, DMARC and ARC say of it", async () => {
    const { ctx, address } = await mailbox();
    const message = letter({ to: address });
    const key = {
      signingDomain: "writer.example",
      selector: "s1",
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }),
    };
    // Its types ask for the key where it is not read.
    const { signatures } = await dkimSign(message, { ...key, signatureData: [key] });
    expect(await deliver(signatures + message, address)).toMatchObject({ code: 250 });
    expect(await onlyMail(ctx)).toMatchObject({
      from: { email: "ada@writer.example", name: "Ada Lovelace" },
      to: [address],
      subject: "Your order",
      text: "Where is it?\n",
      preview: "Where is it?",
      authentic: true,
      automatic: false,
      envelopeFrom: "ada@writer.example",
      checks: {
        spf: { result: "pass", domain: "writer.example" },
        dkim: [{ result: "pass", domain: "writer.example", selector: "s1", aligned: true }],
        dmarc: { result: "pass", domain: "writer.example", policy: "reject" },
        arc: { result: "none" },
      },
    });
  });

  test("is kept, and said not to be authentic, when it is forged or nobody can tell", async () => {
    const { ctx, address } = await mailbox();
    await deliver(letter({ to: address }), address, "mallory@elsewhere.example");
    expect(await onlyMail(ctx)).toMatchObject({
      ...{ authentic: false, forged: true },
      checks: { spf: { result: "none" }, dkim: [], dmarc: { result: "fail" } },
    });
    const silent = await mailbox();
    dns.misbehave("broken.example", "SERVFAIL");
    dns.misbehave("_dmarc.broken.example", "SERVFAIL");
    const headers = { From: "x@broken.example" };
    await deliver(letter({ to: silent.address, headers }), silent.address, "x@broken.example");
    expect(await onlyMail(silent.ctx)).toMatchObject({
      ...{ authentic: false, forged: false },
      checks: { spf: { result: "temperror" }, dmarc: { result: "temperror" } },
    });
  });

  test("that a server brings again because it missed our answer is one mail", async () => {
    const { ctx, address, name } = await mailbox();
    const message = letter({ to: address });
    await Promise.all(Array.from({ length: 5 }, () => deliver(message, address)));
    expect(await deliver(message, address)).toMatchObject({ code: 250 });
    expect(await mailOf(ctx)).toHaveLength(1);
    await deliver(message, `sales@${name}`);
    expect(await mailOf(ctx)).toHaveLength(2);
  });

  test("is one mail for all of a project's addresses, and one for each project", async () => {
    const [first, second] = [await mailbox(), await mailbox()];
    const to = [first.address, `sales@${first.name}`, second.address];
    expect(await deliver(letter({ to: to.join(", ") }), to)).toMatchObject({ code: 250 });
    expect((await onlyMail(first.ctx)).to).toEqual([`sales@${first.name}`, first.address]);
    expect((await onlyMail(second.ctx)).to).toEqual([second.address]);
    const [foreign] = await mailOf(second.ctx);
    await expect(getInbound(first.ctx, foreign?.id ?? "")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("comes beside a bounce in the same session", async () => {
    const { ctx, address } = await mailbox();
    const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: "gone@sandbox.test" });
    const to = [address, returnPathOf(id, "sandbox.test")];
    expect(await deliver(letter({ to: address }), to)).toMatchObject({ code: 250 });
    expect(await mailOf(ctx)).toHaveLength(1);
  });
});

/** A mail with files of these sizes. */
function withFiles(to: string, contents: Buffer[]): string {
  const parts = contents.map((content, index) =>
    [
      "--B",
      `Content-Type: application/octet-stream; name=file-${index}.bin`,
      `Content-Disposition: attachment; filename=file-${index}.bin`,
      "Content-Transfer-Encoding: base64",
      "",
      content.toString("base64").replace(/.{76}/g, "$&\r\n"),
    ].join("\r\n"),
  );
  const headers = { "MIME-Version": "1.0", "Content-Type": "multipart/mixed; boundary=B" };
  const body = ["--B\r\nContent-Type: text/plain\r\n\r\nSee attached.", ...parts, "--B--\r\n"];
  return letter({ to, headers, body: body.join("\r\n") });
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("files", () => {
  test("are the sender's, byte for byte, behind links that end", async () => {
    const { ctx, address } = await mailbox();
    const contents = [randomBytes(10), randomBytes(200 * 1024)];
    await deliver(withFiles(address, contents), address);
    const { attachments, id } = await onlyMail(ctx);
    expect(attachments).toMatchObject([
      { filename: "file-0.bin", contentType: "application/octet-stream", size: 10 },
      { filename: "file-1.bin", size: 200 * 1024 },
    ]);
    const tokens = attachments.map(({ url }) => url.split("/t/a/")[1] ?? "");
    const files = await Promise.all(tokens.map((token) => findLinkedFile(database.db, token)));
    expect(files.map((file) => file && hashOf(file.content))).toEqual(contents.map(hashOf));

    const [token = ""] = tokens;
    const forged = token.slice(0, 30) + (token[30] === "A" ? "B" : "A") + token.slice(31);
    expect(await findLinkedFile(database.db, forged)).toBeNull();
    expect(readAttachmentToken(token)?.position).toBe(0);
    await database.travel("7 days");
    expect(await findLinkedFile(database.db, token)).toBeNull();
    await database.travel("0 days");
    await deleteInbound(ctx, id);
    expect(await findLinkedFile(database.db, token)).toBeNull();
  }, 60_000);

  test("of a mail with more than a thousand parts are not taken, nor a mail of more than 50 MB", async () => {
    const { ctx, address } = await mailbox();
    const many = withFiles(
      address,
      Array.from({ length: 1_001 }, () => Buffer.from("x")),
    );
    expect(await deliver(many, address)).toMatchObject({ code: 554 });
    const large = letter({ to: address }) + `${"x".repeat(998)}\r\n`.repeat(53_000);
    expect(await deliver(large, address)).toMatchObject({ code: 552 });
    expect(await mailOf(ctx)).toHaveLength(0);
  }, 60_000);

  test("of a mail with a thousand of them are taken, and so is one that makes a mail of almost 50 MB", async () => {
    const [many, large] = [await mailbox(), await mailbox()];
    const contents = Array.from({ length: 1_000 }, (_, nth) => Buffer.from(`file ${nth}`));
    expect(await deliver(withFiles(many.address, contents), many.address)).toMatchObject({
      code: 250,
    });
    const { attachments } = await onlyMail(many.ctx);
    expect(attachments).toHaveLength(1_000);
    expect(attachments.at(-1)).toMatchObject({ filename: "file-999.bin", size: 8 });
    const content = randomBytes(36 * 1024 * 1024);
    const message = withFiles(large.address, [content]);
    expect(message.length).toBeGreaterThan(49 * 1024 * 1024);
    expect(message.length).toBeLessThan(50 * 1024 * 1024);
    expect(await deliver(message, large.address)).toMatchObject({ code: 250 });
    expect((await onlyMail(large.ctx)).attachments).toMatchObject([{ size: content.length }]);
  }, 120_000);
});
