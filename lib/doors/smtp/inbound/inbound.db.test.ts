import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "@/db/client";
import { contacts, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getEmail } from "@/lib/domain/emails/read";
import { relayCertificate, type Certificate } from "@/lib/doors/smtp/certificate";
import type { Listening } from "@/lib/doors/smtp/server";
import type { Context } from "@/lib/ground/context";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { buildRelayedMime } from "@/lib/mail/message/relayed-mime";
import { returnPathOf, unsubscribeAddressOf } from "@/lib/mail/return-path";
import { startDatabaseProxy } from "@/lib/testing/database-proxy";
import { send } from "@/lib/testing/delivery";
import { makeProject } from "@/lib/testing";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { startInbound } from "./inbound-server";

const database = useTestDatabase();
const hostname = "mail.sender.example";
let certificate: Certificate;
let inbound: Listening;
let people = 0;

const start = (db = database.db) =>
  startInbound({ db, host: "127.0.0.1", port: 0, hostname, certificate });

beforeAll(async () => {
  certificate = await relayCertificate(database.db);
  inbound = await start();
});
afterAll(() => inbound.close());

/** An email that a mail server took, its uuid; `address`: whom it went to. */
async function sent(ctx: Context, address = `ada${++people}@sandbox.test`) {
  const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: address });
  await database.db.execute(
    sql`update emails set status = 'SENT', sent_at = app_now() where id = ${id}`,
  );
  return { id, address, returnPath: returnPathOf(id, "shop.example") };
}

/** A sample of lib/mail/reports as it would come for one email. */
function sample(name: string, email: { id: string; address: string; returnPath: string }): string {
  const file = join(import.meta.dirname, "../../../mail/reports/samples", `${name}.eml`);
  return readFileSync(file, "latin1")
    .replaceAll("ada@example.net", email.address)
    .replaceAll(/b-01jd[0-9a-f-]+@bounces\.shop\.example/g, email.returnPath)
    .replaceAll("em_01jd0000000000000000000000", encodeId("email", email.id))
    .replaceAll(/\r?\n/g, "\r\n");
}

async function deliver(message: string, to: string | string[], from = "", port = inbound.port) {
  const client = await SmtpClient.open(port);
  await client.say("EHLO mx.example.net");
  const answer = await client.send(message, [to].flat(), from);
  client.end();
  return answer;
}

const project = async () => (await makeProject(database.db)).ctx;
const suppressedOf = (ctx: Context) =>
  database.db
    .select({ email: suppressions.email, reason: suppressions.reason })
    .from(suppressions)
    .where(eq(suppressions.projectId, ctx.projectId));
const consentOf = async (ctx: Context, address: string) => {
  const rows = await database.db
    .select({ consent: contacts.consent, email: contacts.email })
    .from(contacts)
    .where(eq(contacts.projectId, ctx.projectId));
  return rows.find(({ email }) => email === address)?.consent;
};
const statusOf = async (ctx: Context, { id }: { id: string }) =>
  (await getEmail(ctx, encodeId("email", id))).status;
const eventsOf = async (ctx: Context, { id }: { id: string }) =>
  (await getEmail(ctx, encodeId("email", id))).events;

describe("a notification to a return path", () => {
  test("of an address that does not exist bounces its one email, and suppresses", async () => {
    const ctx = await project();
    const [email, other] = [await sent(ctx), await sent(ctx)];
    const message = sample("postfix-user-unknown", email);
    expect(await deliver(message, email.returnPath)).toMatchObject({ code: 250 });
    expect(await statusOf(ctx, email)).toBe("BOUNCED");
    expect(await statusOf(ctx, other)).toBe("SENT");
    expect(await suppressedOf(ctx)).toEqual([{ email: email.address, reason: "hard_bounce" }]);
    const bounce = (await eventsOf(ctx, email)).find(({ name }) => name === "bounced");
    expect(bounce?.data).toMatchObject({
      type: "hard",
      cause: "invalid_address",
      code: 550,
      enhancedCode: "5.1.1",
      reportedBy: "mail.example.net",
      via: "mail",
    });
    expect(bounce?.data["response"]).toContain("User unknown in virtual mailbox table");
  });

  test("of a full mailbox or a block list bounces the email and leaves the address alone", async () => {
    for (const [name, cause] of [
      ["exim-mailbox-full", "mailbox_full"],
      ["sendmail-blocked", "reputation"],
      ["yahoo-prose", "mailbox_full"],
    ] as const) {
      const ctx = await project();
      const email = await sent(ctx);
      await deliver(sample(name, email), email.returnPath);
      expect(await statusOf(ctx, email)).toBe("BOUNCED");
      expect(await suppressedOf(ctx)).toEqual([]);
      const bounce = (await eventsOf(ctx, email)).find((event) => event.name === "bounced");
      expect(bounce?.data).toMatchObject({ type: "soft", cause });
    }
  });

  test("of five full mailboxes in a row, with no delivery between, suppresses", async () => {
    const ctx = await project();
    const address = "full@sandbox.test";
    for (let nth = 1; nth <= 5; nth++) {
      expect(await suppressedOf(ctx)).toEqual([]);
      const email = await sent(ctx, address);
      await deliver(sample("exim-mailbox-full", email), email.returnPath);
    }
    expect(await suppressedOf(ctx)).toEqual([{ email: address, reason: "hard_bounce" }]);
  });

  test("of delay is an event alone, once; of success it is the delivery", async () => {
    const ctx = await project();
    const email = await sent(ctx);
    for (let nth = 0; nth < 3; nth++) {
      await deliver(sample("postfix-delayed", email), email.returnPath);
    }
    expect(await statusOf(ctx, email)).toBe("SENT");
    expect((await eventsOf(ctx, email)).filter(({ name }) => name === "deferred")).toHaveLength(1);
    await deliver(sample("postfix-delivered", email), email.returnPath);
    expect(await statusOf(ctx, email)).toBe("DELIVERED");
    await deliver(sample("postfix-delayed", email), email.returnPath);
    expect((await eventsOf(ctx, email)).filter(({ name }) => name === "deferred")).toHaveLength(1);
  });

  test("that comes twice, late, or at once from many counts once and takes nothing away", async () => {
    const ctx = await project();
    const email = await sent(ctx);
    const message = sample("gmail-address-not-found", email);
    await Promise.all(Array.from({ length: 8 }, () => deliver(message, email.returnPath)));
    expect((await eventsOf(ctx, email)).filter(({ name }) => name === "bounced")).toHaveLength(1);
    const clicked = await sent(ctx);
    await database.db.execute(sql`update emails set status = 'CLICKED' where id = ${clicked.id}`);
    await deliver(sample("qmail", clicked), clicked.returnPath);
    expect(await statusOf(ctx, clicked)).toBe("CLICKED");
  });

  test("is nothing when a machine answers for a person, or a person writes", async () => {
    const ctx = await project();
    const email = await sent(ctx);
    expect(await deliver(sample("out-of-office", email), email.returnPath)).toMatchObject({
      code: 250,
    });
    await deliver("From: a@b.example\r\nSubject: Re: Hello\r\n\r\nThank you", email.returnPath);
    expect(await statusOf(ctx, email)).toBe("SENT");
  });

  test("is found by the address it came to, whatever it claims to be about", async () => {
    const ctx = await project();
    const [email, victim] = [await sent(ctx), await sent(ctx)];
    await deliver(sample("postfix-user-unknown", victim), email.returnPath);
    expect(await statusOf(ctx, email)).toBe("BOUNCED");
    expect(await statusOf(ctx, victim)).toBe("SENT");
  });
});

describe("a complaint", () => {
  test("counts once, unsubscribes and suppresses, though it names nobody", async () => {
    for (const name of ["yahoo-complaint", "microsoft-complaint"]) {
      const ctx = await project();
      const email = await sent(ctx);
      for (let nth = 0; nth < 2; nth++) await deliver(sample(name, email), `FBL@${hostname}`);
      expect(await statusOf(ctx, email)).toBe("COMPLAINED");
      expect(await suppressedOf(ctx)).toEqual([{ email: email.address, reason: "complaint" }]);
      expect(await consentOf(ctx, email.address)).toBe("unsubscribed");
      const events = await eventsOf(ctx, email);
      expect(events.filter((event) => event.name === "complained")).toHaveLength(1);
    }
  });

  test("about a mail that kept the Message-ID of a relay's client is found by our trace or return path", async () => {
    const ctx = await project();
    const [traced, signed, forged] = [await sent(ctx), await sent(ctx), await sent(ctx)];
    const client = "From: news@shop.example\r\nMessage-ID: <1@client.example>\r\n\r\nHello\r\n";
    const relayed = await buildRelayedMime(
      Buffer.from(client, "latin1"),
      {
        id: traced.id,
        recipient: traced.address,
        createdAt: new Date(),
        handedOverBy: "client.example ([192.0.2.7])",
      },
      null,
      null,
    );
    const [report = ""] = sample("yahoo-complaint", traced).split("Return-Path: <redacted>");
    const complaint = `${report}${relayed.toString("latin1")}\r\n--arf--\r\n`;
    expect(complaint).not.toContain(traced.returnPath);
    await deliver(complaint, `fbl@${hostname}`);
    expect(await statusOf(ctx, traced)).toBe("COMPLAINED");

    const withClientsId = (email: typeof signed) =>
      sample("microsoft-complaint", email).replace(
        /<em_\w{26}@shop\.example>/,
        "<1@client.example>",
      );
    await deliver(withClientsId(signed), `fbl@${hostname}`);
    expect(await statusOf(ctx, signed)).toBe("COMPLAINED");
    const returnPath = forged.returnPath.replace(/-[0-9a-f]{20}@/, `-${"0".repeat(20)}@`);
    await deliver(withClientsId({ ...forged, returnPath }), `fbl@${hostname}`);
    expect(await statusOf(ctx, forged)).toBe("SENT");
  });

  test("to a return path is about that email; praise is no complaint", async () => {
    const ctx = await project();
    const [email, praised] = [await sent(ctx), await sent(ctx)];
    await deliver(sample("yahoo-complaint", email), email.returnPath);
    expect(await statusOf(ctx, email)).toBe("COMPLAINED");
    await deliver(sample("not-spam", praised), `fbl@${hostname}`);
    expect(await statusOf(ctx, praised)).toBe("SENT");
  });
});

describe("mail to an unsubscribe address", () => {
  test("unsubscribes the reader of that email; a machine's answer does not", async () => {
    const ctx = await project();
    const email = await sent(ctx);
    const to = unsubscribeAddressOf(email.id, "shop.example").toUpperCase();
    await database.db
      .update(contacts)
      .set({ consent: "subscribed" })
      .where(eq(contacts.projectId, ctx.projectId));
    await deliver(sample("out-of-office", email), to, email.address);
    await deliver("Subject: unsubscribe\r\n\r\n", to, "");
    expect(await consentOf(ctx, email.address)).toBe("subscribed");
    await deliver("From: x@y.example\r\nSubject: unsubscribe\r\n\r\n", to, "x@y.example");
    expect(await consentOf(ctx, email.address)).toBe("unsubscribed");
  });

  test("is heard from Apple's Mail, which calls it an automatic reply, whatever its sender", async () => {
    for (const isNamed of [true, false]) {
      const ctx = await project();
      const email = await sent(ctx);
      const from = isNamed ? email.address : "";
      await database.db
        .update(contacts)
        .set({ consent: "subscribed" })
        .where(eq(contacts.projectId, ctx.projectId));
      const message = sample("apple-unsubscribe", email);
      const to = unsubscribeAddressOf(email.id, "shop.example");
      await deliver(message.replace("X-Apple-Unsubscribe: true\r\n", ""), to, from);
      // To a return path it says nothing of the email.
      await deliver(message, email.returnPath, from);
      expect(await consentOf(ctx, email.address)).toBe("subscribed");
      expect(await deliver(message, to, from)).toMatchObject({ code: 250 });
      expect(await consentOf(ctx, email.address)).toBe("unsubscribed");
      expect(await statusOf(ctx, email)).toBe("SENT");
    }
  });
});

describe("the server", () => {
  test("refuses every other address before DATA, and relays nothing", async () => {
    const email = await sent(await project());
    const gone = returnPathOf(newUnownedId(), "shop.example");
    const forged = email.returnPath.replace(/-([0-9a-f]{20})@/, `-${"0".repeat(20)}@`);
    const crossed = email.returnPath.replace(/^b-/, "u-");
    const others = ["ada@example.net", `postmaster@${hostname}`, "fbl@other.example"];
    for (const address of [gone, forged, crossed, ...others]) {
      const client = await SmtpClient.open(inbound.port);
      await client.say("EHLO mx.example.net");
      await client.say("MAIL FROM:<>");
      expect((await client.say(`RCPT TO:<${address}>`)).lines[0]).toMatch(/^5\.1\.1 /);
      expect((await client.say("DATA")).code).toBe(503);
      client.end();
    }
  });

  test("offers STARTTLS and no login, lets a client go that only makes errors", async () => {
    const client = await SmtpClient.open(inbound.port);
    expect((await client.say("EHLO mx.example.net")).lines).toContain("STARTTLS");
    expect((await client.startTls()).lines.join()).not.toContain("AUTH");
    await client.say("MAIL FROM:<>");
    let last = 0;
    for (let nth = 0; nth < 30 && last !== 421; nth++) {
      last = (await client.say(`RCPT TO:<guess${nth}@example.net>`)).code;
    }
    expect(last).toBe(421);
    await client.closed();
  });

  test("reads a long message to its end, keeps its beginning, and refuses one that is too long", async () => {
    const ctx = await project();
    const email = await sent(ctx);
    const line = `${"x".repeat(998)}\r\n`;
    const long = sample("postfix-user-unknown", email) + line.repeat(20_000);
    expect(await deliver(long, email.returnPath)).toMatchObject({ code: 250 });
    expect(await statusOf(ctx, email)).toBe("BOUNCED");
    const other = await sent(ctx);
    const tooLong = sample("postfix-user-unknown", other) + line.repeat(53_000);
    expect(await deliver(tooLong, other.returnPath)).toMatchObject({ code: 552 });
    expect(await statusOf(ctx, other)).toBe("SENT");
  });

  test("says 4xx while the database is away, and takes the mail once it is back", async () => {
    const ctx = await project();
    const email = await sent(ctx);
    const proxy = await startDatabaseProxy(database.url);
    const db = connect(proxy.url, { max: 2 });
    const server = await start(db);
    const message = sample("postfix-user-unknown", email);
    proxy.leave();
    const refused = await deliver(message, email.returnPath, "", server.port);
    expect(Math.floor(refused.code / 100)).toBe(4);
    proxy.comeBack();
    expect(await deliver(message, email.returnPath, "", server.port)).toMatchObject({ code: 250 });
    expect(await statusOf(ctx, email)).toBe("BOUNCED");
    await server.close();
    await db.$client.end({ timeout: 1 });
    await proxy.stop();
  });
});
