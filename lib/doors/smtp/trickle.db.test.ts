import { once } from "node:events";
import { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listInbound } from "@/lib/domain/inbound/read";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import { startInbound } from "@/lib/doors/smtp/inbound/inbound-server";
import { startRelay } from "@/lib/doors/smtp/relay/relay-server";
import type { Listening } from "@/lib/doors/smtp/server";
import { reloadEnv } from "@/lib/ground/env/env";
import { returnPathOf } from "@/lib/mail/return-path";
import { deliverTo, letter, makeMailbox } from "@/lib/testing/customer-mail";
import { send } from "@/lib/testing/delivery";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { makeProject } from "@/lib/testing";
import { loginToken, plainMessage } from "@/lib/testing/relay";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { until } from "@/lib/testing/until";

/*
 * What strangers and other projects bring slowly must not keep anybody from bringing mail.
 */
const database = useTestDatabase();
let relay: Listening;
let inbound: Listening;
let dns: DnsServer;

async function options() {
  const certificate = await relayCertificate(database.db);
  return { db: database.db, host: "127.0.0.1", port: 0, hostname: "localhost", certificate };
}

/** Where it is about room, not about time: hundreds of sessions take a slow machine long. */
const anyPace = { freeMilliseconds: 600_000, leastPerSecond: 1, wholeMilliseconds: 600_000 };

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  relay = await startRelay({ ...(await options()), plaintextAuth: true, dataPace: anyPace });
  inbound = await startInbound({ ...(await options()), dataPace: anyPace });
});
afterAll(async () => {
  await Promise.all([relay.close(), inbound.close()]);
  await dns.stop();
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
});

/** A session with the relay that has logged in. */
async function session(key: string, port = relay.port): Promise<SmtpClient> {
  const client = await SmtpClient.open(port);
  await client.say("EHLO client.example.com");
  expect((await client.say(`AUTH PLAIN ${loginToken(key)}`)).code).toBe(235);
  return client;
}

/** A session with the other server, from an address that ends in this number. */
async function stranger(last: number): Promise<SmtpClient> {
  const client = await SmtpClient.open(inbound.port, `127.0.0.${last}`);
  await client.say("EHLO mx.writer.example");
  return client;
}

/** Sessions that have begun a message and go on octet by octet. */
async function trickle(opened: Promise<SmtpClient>[], to: string, beginning: string) {
  const clients = await Promise.all(opened);
  await Promise.all(
    clients.map(async (client) => {
      for (const line of ["MAIL FROM:<a@b.example>", `RCPT TO:<${to}>`, "DATA"])
        await client.say(line);
      client.write(beginning);
    }),
  );
  const timer = setInterval(() => clients.forEach((client) => client.write("x")), 500);
  return {
    clients,
    /** The end of the message, for each; resolves to the codes. */
    async finish() {
      clearInterval(timer);
      const answers = clients.map((client) => client.say("\r\n."));
      return (await Promise.all(answers)).map(({ code }) => code);
    },
    end() {
      clearInterval(timer);
      for (const client of clients) client.end();
    },
  };
}

const repeat = <Value>(count: number, make: (nth: number) => Value) =>
  Array.from({ length: count }, (_, nth) => make(nth));
const head = "From: Ada <ada@writer.example>\r\nSubject: Slow\r\n\r\n";
const line = `${"x".repeat(98)}\r\n`;
/** As large as a message may be that counts as small. */
const almost = head + line.repeat(2_600);

test("130 messages of three networks that trickle in stop neither the relay nor letters nor bounces", async () => {
  const { ctx, address } = await makeMailbox(database.db);
  const { apiKey } = await makeProject(database.db);
  const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: "ada@writer.example" });
  const returnPath = returnPathOf(id, "shop.example");
  const slow = await trickle(
    repeat(130, (nth) => stranger(2 + (nth % 3))),
    address,
    head,
  );
  const slowReturns = await trickle(
    repeat(130, (nth) => stranger(5 + (nth % 3))),
    returnPath,
    head,
  );
  const client = await session(apiKey);
  expect((await client.send(plainMessage(), ["bob@example.com"])).code).toBe(250);
  expect(await deliverTo(inbound.port, letter({ to: address }), address)).toMatchObject({
    code: 250,
  });
  expect(await deliverTo(inbound.port, letter({ to: returnPath }), returnPath, "")).toMatchObject({
    code: 250,
  });
  // They were slow and nothing else: they are taken as well.
  expect(new Set(await slow.finish())).toEqual(new Set([250]));
  expect((await listInbound(ctx, { limit: 1 })).data).toHaveLength(1);
  for (const one of [slow, slowReturns]) one.end();
  client.end();
}, 60_000);

test("two projects whose messages trickle in leave the relay's room to a third, however much has come", async () => {
  const projects = await Promise.all(repeat(3, () => makeProject(database.db)));
  const [first = "", second = "", third = ""] = projects.map(({ apiKey }) => apiKey);
  const slow = await trickle(
    repeat(130, (nth) => session(nth % 2 === 0 ? first : second)),
    "bob@example.com",
    almost,
  );
  const client = await session(third);
  const message = almost.replace("writer.example", "sandbox.test");
  for (let nth = 0; nth < 4; nth++) {
    // Each of the slow ones is so a second after it began, and they did not begin together.
    await until(async () => (await client.send(message, ["bob@example.com"])).code === 250);
  }
  slow.end();
  client.end();
}, 60_000);

test("a message that comes too slowly, or takes too long as a whole, is ended with 421 4.4.2", async () => {
  const dataPace = { freeMilliseconds: 300, leastPerSecond: 2_000, wholeMilliseconds: 4_000 };
  const own = await startRelay({ ...(await options()), plaintextAuth: true, dataPace });
  const { apiKey } = await makeProject(database.db);
  const begin = async (beginning = "") => {
    const client = await session(apiKey, own.port);
    for (const command of ["MAIL FROM:<a@b.example>", "RCPT TO:<bob@example.com>"]) {
      await client.say(command);
    }
    // Each has its own time, from here on: the server's begins later.
    const began = performance.now();
    await client.say("DATA");
    client.write(plainMessage() + beginning);
    return { client, began };
  };
  const ended = async ({ client, began }: Awaited<ReturnType<typeof begin>>) => {
    const { code, lines } = await client.answer();
    await client.closed();
    return { code, text: lines[0]?.slice(0, 5), after: performance.now() - began };
  };
  const slow = begin().then(ended);
  const steady = begin().then(async (begun) => {
    const timer = setInterval(() => begun.client.write(line.repeat(10)), 50);
    return ended(begun).finally(() => clearInterval(timer));
  });
  const late = await begin(line.repeat(100));
  await until(() => performance.now() - late.began > 700);
  // It was quiet for longer than the slow one may be, and has brought enough for that.
  expect((await late.client.say("\r\n.")).code).toBe(250);
  const [first, second] = await Promise.all([slow, steady]);
  expect(first).toMatchObject({ code: 421, text: "4.4.2" });
  expect(first.after).toBeLessThan(second.after);
  expect(second).toMatchObject({ code: 421, text: "4.4.2" });
  expect(second.after).toBeGreaterThanOrEqual(4_000);
  late.client.end();
  await own.close();
});

test("a network may have 50 sessions of mail servers, and 250 with the relay before they log in", async () => {
  const own = await startRelay({ ...(await options()), plaintextAuth: true });
  const { apiKey } = await makeProject(database.db);
  const open = async (port: number, count: number, last: number) =>
    Promise.all(repeat(count, () => SmtpClient.open(port, `127.0.0.${last}`)));
  const servers = await open(inbound.port, 50, 8);
  const clients = await open(own.port, 250, 8);
  for (const { port } of [inbound, own]) {
    // As soon as it connects, and from this network alone.
    const refused = new Socket();
    const said = once(refused, "data");
    refused.connect({ port, host: "127.0.0.1", localAddress: "127.0.0.8" });
    expect(String((await said)[0])).toBe("421 4.7.0 Too many sessions from your network\r\n");
    refused.destroy();
    servers.push(await SmtpClient.open(port, "127.0.0.9"));
  }
  const [one, another] = clients;
  await one?.say("EHLO client.example.com");
  expect((await one?.say(`AUTH PLAIN ${loginToken(apiKey)}`))?.code).toBe(235);
  clients.push(await SmtpClient.open(own.port, "127.0.0.8"));
  // Who has gone is not counted.
  another?.end();
  await until(async () => {
    const client = new Socket();
    client.connect({ port: own.port, host: "127.0.0.1", localAddress: "127.0.0.8" });
    const [greeting] = (await once(client, "data")) as [Buffer];
    client.destroy();
    return String(greeting).startsWith("220 ");
  });
  for (const client of [...servers, ...clients]) client.end();
  await own.close();
}, 30_000);
