import { createHash, X509Certificate } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TlsaData } from "dns-packet";
import { useTestDatabase } from "@/db/testing";
import { sendDirectMail } from "@/lib/domain/direct-mail/send";
import { reloadEnv } from "@/lib/ground/env/env";
import { replaceReceiverPort } from "@/lib/mail/receiving-hosts/port";
import { makeAuthority } from "@/lib/testing/certificates";
import { dispatchDue, send, storedEmail } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { useReceivers } from "@/lib/testing/receivers";

const database = useTestDatabase();
const { sender } = useMailServers(database);
const { dns, host, mx, port, transport } = useReceivers();
const before = process.env["DNSSEC_RESOLVER"];
let authority: Awaited<ReturnType<typeof makeAuthority>>;
let stranger: typeof authority;

beforeAll(async () => {
  process.env["DNSSEC_RESOLVER"] = dns().address;
  reloadEnv();
  authority = await makeAuthority();
  stranger = await makeAuthority();
});
afterAll(() => {
  if (before === undefined) delete process.env["DNSSEC_RESOLVER"];
  else process.env["DNSSEC_RESOLVER"] = before;
  reloadEnv();
});

const digests = { 1: "sha256", 2: "sha512" } as const;

/** The record that names a certificate, as `usage selector matching`. */
function record(words: `${0 | 1 | 2 | 3} ${0 | 1} ${0 | 1 | 2}`, pem: string): TlsaData {
  const [usage = 0, selector = 0, matchingType = 0] = words.split(" ").map(Number);
  const { raw, publicKey } = new X509Certificate(pem);
  const content = selector === 0 ? raw : publicKey.export({ type: "spki", format: "der" });
  const digest = digests[matchingType as 1 | 2];
  const certificate = digest ? createHash(digest).update(content).digest() : content;
  return { usage, selector, matchingType, certificate };
}

/** A receiver in a signed zone, with a certificate that nobody else vouches for. */
async function signedHost(
  name: string,
  last: number,
  { issuer = authority, subject = name, startTls = true, withIssuer = false } = {},
) {
  const issued = await issuer.issue(subject);
  const cert = withIssuer ? `${issued.cert}\n${issuer.cert}` : issued.cert;
  const secured = { disabledCommands: [], ...issued, cert };
  const server = await host(name, last, startTls ? secured : {});
  dns().sign(name);
  return { server, cert: issued.cert };
}
const tlsa = (name: string, ...records: TlsaData[]) => dns().tlsa(`_25._tcp.${name}`, ...records);

function signedDomain(...hosts: string[]) {
  mx("dane.example", ...hosts);
  dns().sign("dane.example");
}

async function mail(over = transport()) {
  const { ctx, domain } = await sender();
  const [id = ""] = await send(ctx, { from: `shop@${domain}`, to: "a@dane.example" });
  await dispatchDue({ db: database.db, transport: over });
  const email = await storedEmail(database.db, id);
  const words = JSON.stringify(email.events.at(-1)?.data["response"]);
  return { status: email.status, waits: email.waits, words, last: email.events.at(-1)?.data };
}
const delivered = { status: "DELIVERED", waits: false };
const waiting = { status: "PENDING", waits: true };

describe("a receiver's TLSA records, validated by DNSSEC", () => {
  it.each(["3 1 1", "3 0 1", "3 1 2", "3 0 0", "3 1 0"] as const)(
    "let mail go to the server whose own certificate they name (%s), whatever name it carries",
    async (words) => {
      const { server, cert } = await signedHost("mx.dane.example", 60, { subject: "other.test" });
      tlsa("mx.dane.example", record(words, cert));
      signedDomain("mx.dane.example");
      expect(await mail()).toMatchObject(delivered);
      expect(server.mails.map(({ session }) => session.secure)).toEqual([true]);
    },
  );

  it.each(["2 0 1", "2 1 1", "2 0 0", "2 1 0"] as const)(
    "let mail go to a server that the authority they name (%s) has vouched for",
    async (words) => {
      const sent = words.endsWith("1");
      const { server } = await signedHost("mx.dane.example", 60, { withIssuer: sent });
      tlsa("mx.dane.example", record(words, authority.cert));
      signedDomain("mx.dane.example");
      expect(await mail()).toMatchObject(delivered);
      expect(server.mails).toHaveLength(1);
    },
  );

  it("take the name of the mail's domain as well as the server's under an authority, and no other", async () => {
    const { server } = await signedHost("mx.dane.example", 60, {
      subject: "dane.example",
      withIssuer: true,
    });
    tlsa("mx.dane.example", record("2 1 1", authority.cert));
    signedDomain("mx.dane.example");
    expect(await mail()).toMatchObject(delivered);
    const other = await signedHost("other.dane.example", 61, {
      subject: "elsewhere.example",
      withIssuer: true,
    });
    tlsa("other.dane.example", record("2 1 1", authority.cert));
    signedDomain("other.dane.example");
    expect(await mail()).toMatchObject(waiting);
    expect([server.mails.length, other.server.mails.length]).toEqual([1, 0]);
  });

  it("keep mail from an impostor: one that shows the authority's certificate without its signature, or a foreign one", async () => {
    const forged = await stranger.issue("mx.dane.example");
    const forger = await host("mx.dane.example", 60, {
      disabledCommands: [],
      key: forged.key,
      cert: `${forged.cert}\n${authority.cert}`,
    });
    dns().sign("mx.dane.example");
    tlsa("mx.dane.example", record("2 1 1", authority.cert));
    signedDomain("mx.dane.example");
    expect(await mail()).toMatchObject(waiting);
    tlsa("mx.dane.example", record("3 1 1", authority.cert));
    const { words, last, ...kept } = await mail();
    expect(kept).toEqual(waiting);
    expect(words).toContain(
      "No mail server of dane.example proved who it is. mx.dane.example: The certificate is not one that the host's TLSA records name (DANE)",
    );
    expect(last).toMatchObject({ code: 454, enhancedCode: "4.7.5" });
    expect(forger.mails).toEqual([]);
  });

  it("send mail to the next host where the first does not match them", async () => {
    const wrong = await signedHost("mx1.dane.example", 60);
    const right = await signedHost("mx2.dane.example", 61);
    tlsa("mx1.dane.example", record("3 1 1", right.cert));
    tlsa("mx2.dane.example", record("3 1 1", right.cert));
    signedDomain("mx1.dane.example", "mx2.dane.example");
    expect(await mail()).toMatchObject(delivered);
    expect([wrong.server.mails.length, right.server.mails.length]).toEqual([0, 1]);
  });

  it("keep mail from a server that offers no TLS, and from one whose records cannot be looked up", async () => {
    const { server, cert } = await signedHost("mx.dane.example", 60, { startTls: false });
    tlsa("mx.dane.example", record("3 1 1", stranger.cert));
    signedDomain("mx.dane.example");
    expect((await mail()).words).toContain("mx.dane.example: The server offers no STARTTLS");
    dns().misbehave("_25._tcp.mx.dane.example", "SERVFAIL");
    const { words, last, ...kept } = await mail();
    expect(kept).toEqual(waiting);
    expect(words).toContain("The TLSA records of mx.dane.example could not be looked up");
    expect(last).toMatchObject({ code: 454, enhancedCode: "4.7.5" });
    dns().misbehave("_25._tcp.mx.dane.example", null);
    expect([server.mails.length, cert.length > 0]).toEqual([0, true]);
  });

  it("of no use demand TLS and nothing more of it", async () => {
    const { server, cert } = await signedHost("mx.dane.example", 60);
    const short = { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from("short") };
    tlsa("mx.dane.example", record("1 1 1", stranger.cert), short);
    signedDomain("mx.dane.example");
    expect(await mail()).toMatchObject(delivered);
    const plain = await signedHost("plain.dane.example", 61, { startTls: false });
    tlsa("plain.dane.example", record("0 0 1", cert));
    signedDomain("plain.dane.example");
    expect(await mail()).toMatchObject(waiting);
    expect([server.mails.length, plain.server.mails.length]).toEqual([1, 0]);
  });

  it("count for nothing where the domain, the server's address or they themselves are not signed, or no resolver is named", async () => {
    const { server } = await signedHost("mx.dane.example", 60);
    tlsa("mx.dane.example", record("3 1 1", stranger.cert));
    mx("dane.example", "mx.dane.example");
    expect(await mail()).toMatchObject(delivered);
    dns().clear();
    dns().addresses("mx.other.example", "127.0.0.60");
    tlsa("mx.other.example", record("3 1 1", stranger.cert));
    signedDomain("mx.other.example");
    expect(await mail()).toMatchObject(delivered);
    dns().sign("mx.other.example");
    expect(await mail()).toMatchObject(waiting);
    delete process.env["DNSSEC_RESOLVER"];
    reloadEnv();
    expect(await mail()).toMatchObject(delivered);
    process.env["DNSSEC_RESOLVER"] = dns().address;
    reloadEnv();
    expect(server.mails).toHaveLength(3);
  });

  it("of an alias may stand where it leads, or at the alias itself where that alone is signed", async () => {
    const { server, cert } = await signedHost("real.example", 60);
    dns().cname("mx.dane.example", "real.example");
    tlsa("real.example", record("3 1 1", cert));
    tlsa("mx.dane.example", record("3 1 1", stranger.cert));
    signedDomain("mx.dane.example");
    expect(await mail()).toMatchObject(delivered);
    dns().cname("alias.dane.example", "unsigned.example");
    dns().addresses("unsigned.example", "127.0.0.60");
    tlsa("alias.dane.example", record("3 1 1", stranger.cert));
    signedDomain("alias.dane.example");
    expect(await mail()).toMatchObject(waiting);
    tlsa("alias.dane.example", record("3 1 1", cert));
    expect(await mail()).toMatchObject(delivered);
    expect(server.mails).toHaveLength(2);
  });

  it("hold for a session that is used again, which carries no mail that asks for another proof", async () => {
    const { server, cert } = await signedHost("mx.dane.example", 60);
    tlsa("mx.dane.example", record("3 1 1", cert));
    signedDomain("mx.dane.example");
    mx("unsigned.example", "mx.dane.example");
    const { ctx, domain } = await sender();
    const people = ["a@dane.example", "b@dane.example", "c@unsigned.example"];
    await send(ctx, { from: `shop@${domain}`, to: people });
    await dispatchDue({ db: database.db, transport: transport({ connections: 1 }) });
    const sessionOf = new Map(server.mails.map(({ to, session }) => [to[0], session.id]));
    expect(sessionOf.size).toBe(3);
    expect(sessionOf.get("a@dane.example")).toBe(sessionOf.get("b@dane.example"));
    expect(sessionOf.get("c@unsigned.example")).not.toBe(sessionOf.get("a@dane.example"));
  });

  it("hold for mail that signs people in, which goes past the queue", async () => {
    replaceReceiverPort(port());
    process.env["MAIL_TRANSPORT"] = "mx";
    process.env["MAIL_HOSTNAME"] = "mail.example.net";
    reloadEnv();
    const mailTo = (domain: string) =>
      sendDirectMail(
        database.db,
        {
          fromName: "Lettermill",
          to: { name: "A", address: `a@${domain}` },
          subject: "Sign in",
          html: "<p>Link</p>",
          text: "Link",
        },
        { sender: null, mailbox: async () => null },
      );
    try {
      const { server, cert } = await signedHost("mx.dane.example", 60);
      tlsa("mx.dane.example", record("3 1 1", cert));
      tlsa("mx.dane2.example", record("3 1 1", stranger.cert));
      dns().addresses("mx.dane2.example", "127.0.0.60");
      mx("dane2.example", "mx.dane2.example");
      for (const zone of ["dane2.example", "mx.dane2.example"]) dns().sign(zone);
      signedDomain("mx.dane.example");
      await mailTo("dane.example");
      await expect(mailTo("dane2.example")).rejects.toThrow("TLSA records");
      expect(server.mails.map(({ session }) => session.secure)).toEqual([true]);
    } finally {
      replaceReceiverPort(25);
      for (const name of ["MAIL_TRANSPORT", "MAIL_HOSTNAME"]) delete process.env[name];
      reloadEnv();
    }
  });

  it("end mail that no server proved itself for in four days, by a code and a class of its own", async () => {
    const { server } = await signedHost("mx.dane.example", 60);
    tlsa("mx.dane.example", record("3 1 1", stranger.cert));
    signedDomain("mx.dane.example");
    const { ctx, domain } = await sender();
    const [id = ""] = await send(ctx, { from: `shop@${domain}`, to: "a@dane.example" });
    await database.db.execute(sql`update email_queue set attempts = 40`);
    await dispatchDue({ db: database.db, transport: transport() });
    const { status, events } = await storedEmail(database.db, id);
    expect(status).toBe("BOUNCED");
    expect(events.at(-1)).toMatchObject({
      name: "bounced",
      data: { type: "soft", code: 454, enhancedCode: "4.7.5", cause: "policy" },
    });
    expect(server.mails).toEqual([]);
  });
});
