import { connect as connectTo, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { getEmail } from "@/lib/domain/emails/read";
import { getInbound, listInbound } from "@/lib/domain/inbound/read";
import { relayCertificate, type Certificate } from "@/lib/doors/smtp/certificate";
import type { Listening } from "@/lib/doors/smtp/server";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { returnPathOf } from "@/lib/mail/return-path";
import { deliverTo, letter, makeMailbox } from "@/lib/testing/customer-mail";
import { send } from "@/lib/testing/delivery";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { until } from "@/lib/testing/until";
import { startInbound } from "./inbound-server";

const database = useTestDatabase();
let certificate: Certificate;
let inbound: Listening;
let dns: DnsServer;
const sockets: Socket[] = [];

const start = (db = database.db) =>
  startInbound({ db, host: "127.0.0.1", port: 0, hostname: "mail.sender.example", certificate });

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  certificate = await relayCertificate(database.db);
  inbound = await start();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await inbound.close();
  await dns.stop();
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
});

interface Caller {
  port?: number;
  /** Said before the greeting. */
  early?: string;
  localAddress?: string;
}

/** A session from its first line on. */
async function connected({ port = inbound.port, early = "", localAddress }: Caller = {}) {
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connectTo({ port, host: "127.0.0.1", ...from });
  sockets.push(socket);
  let heard = "";
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  if (early) socket.write(early);
  await until(() => heard.includes("\r\n"), { what: "a first line" });
  return { socket, code: Number(heard.slice(0, 3)), heard: () => heard };
}

async function session() {
  const client = await SmtpClient.open(inbound.port);
  const hello = await client.say("EHLO mx.writer.example");
  return { client, hello };
}

const mailOf = async (ctx: Context) => (await listInbound(ctx, { limit: 100 })).data;

describe("a server that brings mail", () => {
  test("has fifty sessions from one address, and room again when one of them ends", async () => {
    const own = await start();
    try {
      const { port } = own;
      const sessions = await Promise.all(Array.from({ length: 50 }, () => connected({ port })));
      expect(new Set(sessions.map(({ code }) => code))).toEqual(new Set([220]));
      const refused = await connected({ port });
      expect(refused.heard()).toBe("421 4.7.0 Too many sessions from your network\r\n");
      // Elsewhere, loopback has one address alone.
      if (process.platform === "linux") {
        expect(await connected({ port, localAddress: "127.0.0.2" })).toMatchObject({ code: 220 });
      }
      sessions[0]?.socket.destroy();
      await until(async () => (await connected({ port })).code === 220, { what: "room again" });
      expect(await connected({ port })).toMatchObject({ code: 421 });
    } finally {
      for (const socket of sockets.splice(0)) socket.destroy();
      await own.close();
    }
  });

  test("is let go after twenty errors, and its network after two hundred in all its sessions", async () => {
    const own = await start();
    const { port } = own;
    try {
      let errors = 0;
      while (errors < 200) {
        const client = await SmtpClient.open(port);
        await client.say("EHLO mx.writer.example");
        await client.say("MAIL FROM:<>");
        let code = 550;
        let ofSession = 0;
        for (; code === 550; errors++, ofSession++) {
          ({ code } = await client.say(`RCPT TO:<guess${errors}@writer.example>`));
        }
        expect(code).toBe(421);
        expect(ofSession).toBeLessThanOrEqual(21);
        await client.closed();
      }
      const refused = await connected({ port });
      expect(refused.heard()).toBe(
        "421 4.7.0 Too many errors from your network, try again later\r\n",
      );
      if (process.platform === "linux") {
        expect(await connected({ port, localAddress: "127.0.0.2" })).toMatchObject({ code: 220 });
      }
    } finally {
      await own.close();
    }
  });

  test("says five hundred things between two messages, not more", async () => {
    const { ctx, address } = await makeMailbox(database.db);
    const talkative = await connected();
    const answered = (code: number) => talkative.heard().split(`${code} `).length - 1;
    const say = async (times: number) => {
      const before = talkative.heard().split("\n").length;
      talkative.socket.write("NOOP\r\n".repeat(times));
      await until(
        () => talkative.socket.closed || talkative.heard().split("\n").length >= before + times,
        { what: "all answers" },
      );
    };
    await say(400);
    talkative.socket.write(
      `HELO a.example\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${address}>\r\nDATA\r\n`,
    );
    await until(() => answered(354) === 1, { what: "the way to DATA" });
    talkative.socket.write(`${letter({ to: address })}\r\n.\r\n`);
    await until(async () => (await mailOf(ctx)).length === 1, { what: "the mail" });
    await say(400);
    expect(answered(421)).toBe(0);
    await say(200);
    await until(() => talkative.socket.closed, { what: "the end of the session" });
    expect(talkative.heard()).toMatch(/\n421 4\.7\.0 Too many commands without a message\r\n$/);
  });

  test("that talks before it is greeted is not listened to", async () => {
    const hasty = await connected({ early: "EHLO mx.writer.example\r\nMAIL FROM:<>\r\n" });
    await until(() => hasty.socket.closed, { what: "the end of the session" });
    expect(hasty.heard()).toMatch(/^421 [^\r]*You talk too soon\r\n$/);
  });

  test("names a hundred recipients; the next is to be brought again", async () => {
    const { ctx, name } = await makeMailbox(database.db);
    const { client } = await session();
    await client.say("MAIL FROM:<ada@writer.example>");
    for (let nth = 0; nth < 100; nth++) {
      expect(await client.say(`RCPT TO:<p${nth}@${name}>`)).toMatchObject({ code: 250 });
    }
    const another = await client.say(`RCPT TO:<p100@${name}>`);
    expect(another).toMatchObject({ code: 452 });
    expect(another.lines[0]).toMatch(/^4\.5\.3 /);
    // One that was named before is no further one.
    expect(await client.say(`RCPT TO:<p0@${name}>`)).toMatchObject({ code: 250 });
    expect(await client.say("DATA")).toMatchObject({ code: 354 });
    client.write(letter({ to: `all@${name}` }));
    expect(await client.say("\r\n.")).toMatchObject({ code: 250 });
    client.end();
    const [mail, ...others] = await mailOf(ctx);
    expect(others).toEqual([]);
    expect((await getInbound(ctx, mail?.id ?? "")).to).toHaveLength(100);
  });

  test("is told before it brings a message that this is too long", async () => {
    const { client, hello } = await session();
    expect(hello.lines).toContain("SIZE 52428800");
    expect(await client.say("MAIL FROM:<> SIZE=52428801")).toMatchObject({ code: 552 });
    expect(await client.say("MAIL FROM:<> SIZE=many")).toMatchObject({ code: 501 });
    expect(await client.say("MAIL FROM:<> SIZE=52428800")).toMatchObject({ code: 250 });
    client.end();
  });

  test("ends a message with CR LF . CR LF: no other ending smuggles one in", async () => {
    const [ours, victim] = [await makeMailbox(database.db), await makeMailbox(database.db)];
    const { client } = await session();
    for (const ending of ["\n.\n", "\n.\r\n", "\r.\r", "\r\n.\n", "\r\n.\r"]) {
      const commands = `MAIL FROM:<x@y.example>\r\nRCPT TO:<${victim.address}>\r\nDATA\r\n`;
      const body = `one${ending}${commands}Subject: evil\r\n\r\nevil`;
      const message = letter({ to: ours.address, body });
      expect(await client.send(message, [ours.address])).toMatchObject({ code: 250 });
    }
    client.end();
    expect(await mailOf(ours.ctx)).toHaveLength(5);
    expect(await mailOf(victim.ctx)).toEqual([]);
  });
});

/** As a person's provider reports that they complained about an email (wire id). */
const complaintAbout = (emailId: string) =>
  [
    "From: <staff@writer.example>",
    "Content-Type: multipart/report; report-type=feedback-report; boundary=b",
    "",
    "--b",
    "Content-Type: message/feedback-report",
    "",
    "Feedback-Type: abuse",
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: <${emailId}@shop.example>`,
    "",
    "--b--",
    "",
  ].join("\r\n");

test("two servers at one database count once what both are brought at the same time", async () => {
  const db = connect(database.url, { max: 4 });
  const second = await start(db);
  try {
    const { ctx, address } = await makeMailbox(database.db);
    const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: "cross@sandbox.test" });
    await database.db.execute(
      sql`update emails set status = 'SENT', sent_at = app_now() where id = ${id}`,
    );
    const emailId = encodeId("email", id);
    const [complaint, mail] = [complaintAbout(emailId), letter({ to: address })];
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => [inbound.port, second.port])
        .flat()
        .flatMap((port) => [
          deliverTo(port, complaint, returnPathOf(id, "shop.example"), ""),
          deliverTo(port, mail, address),
        ]),
    );
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([250]));
    const { status, events } = await getEmail(ctx, emailId);
    expect(status).toBe("COMPLAINED");
    expect(events.filter(({ name }) => name === "complained")).toHaveLength(1);
    expect(await mailOf(ctx)).toHaveLength(1);
  } finally {
    await second.close();
    await db.$client.end({ timeout: 5 });
  }
});
