import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys, projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createApiKey, deleteApiKey, listApiKeys } from "@/lib/domain/api-keys/api-keys";
import { makeProject } from "@/lib/testing";
import { loginToken, plainMessage, useRelay } from "@/lib/testing/relay";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();
const relay = useRelay(database);

test("a wrong user, a wrong key and a revoked key are refused with 535 5.7.8", async () => {
  const revoked = await makeProject(database.db);
  const { data } = await listApiKeys(revoked.ctx, { limit: 1 });
  await deleteApiKey(revoked.ctx, data[0]?.id ?? "");
  for (const [user, pass] of [
    ["root", relay.project.apiKey],
    ["apikey", `${relay.project.apiKey.slice(0, -1)}!`],
    ["apikey", revoked.apiKey],
  ]) {
    const opened = await SmtpClient.open(relay.port);
    const answer = await opened.logIn(pass ?? "", user);
    expect(answer.code).toBe(535);
    expect(answer.lines[0]).toMatch(/^5\.7\.8 /);
    expect((await opened.say("MAIL FROM:<a@b.example>")).code).toBe(530);
    opened.end();
  }
});

test("AUTH LOGIN works, and a sending key may send", async () => {
  const { key } = await createApiKey(relay.project.ctx, { name: "Sender", scope: "sending" });
  const opened = await SmtpClient.open(relay.port);
  await opened.say("EHLO x");
  await opened.startTls();
  expect((await opened.say("AUTH LOGIN")).code).toBe(334);
  expect((await opened.say(Buffer.from("apikey").toString("base64"))).code).toBe(334);
  expect((await opened.say(Buffer.from(key).toString("base64"))).code).toBe(235);
  expect((await opened.send(plainMessage(), ["a@example.com"])).code).toBe(250);
  opened.end();
});

test("without TLS, AUTH is neither offered nor taken, and mail is refused", async () => {
  const opened = await SmtpClient.open(relay.port);
  const { lines } = await opened.say("EHLO x");
  expect(lines).toContain("STARTTLS");
  expect(lines.join()).not.toContain("AUTH");
  const token = loginToken(relay.project.apiKey);
  expect((await opened.say(`AUTH PLAIN ${token}`)).code).toBe(538);
  expect((await opened.say("MAIL FROM:<a@b.example>")).code).toBe(530);
  const secure = await opened.startTls();
  expect(secure.lines.join()).toContain("AUTH PLAIN LOGIN");
  opened.end();
});

test("plaintext logins work from loopback where the setting allows them", async () => {
  const open = await relay.start({ plaintextAuth: true });
  const opened = await SmtpClient.open(open.port);
  expect((await opened.say("EHLO x")).lines.join()).toContain("AUTH");
  const token = loginToken(relay.project.apiKey);
  expect((await opened.say(`AUTH PLAIN ${token}`)).code).toBe(235);
  opened.end();
  await open.close();
});

test("commands pipelined behind STARTTLS in plain text are ignored", async () => {
  const opened = await SmtpClient.open(relay.port);
  await opened.say("EHLO x");
  opened.write("STARTTLS\r\nEHLO injected\r\n");
  expect((await opened.answer()).code).toBe(220);
  await opened.secure();
  // 530, had the EHLO counted.
  expect((await opened.say("MAIL FROM:<a@b.example>")).code).toBe(503);
  opened.end();
});

test("five failed logins end the session", async () => {
  const opened = await SmtpClient.open(relay.port);
  await opened.say("EHLO x");
  await opened.startTls();
  const token = loginToken("wrong");
  const codes: number[] = [];
  for (let attempt = 1; attempt <= 5; attempt++) {
    codes.push((await opened.say(`AUTH PLAIN ${token}`)).code);
  }
  expect(codes).toEqual([535, 535, 535, 535, 421]);
  await opened.closed();
});

test("failed logins count per address together with those over HTTP; valid keys do not count", async () => {
  await database.db.execute(sql`
    insert into rate_limits (subject, resets_at, used)
    values ('denied:127.0.0.1', app_now() + interval '1 minute', 600)
    on conflict (subject) do update set used = 600, resets_at = excluded.resets_at`);
  const opened = await SmtpClient.open(relay.port);
  expect((await opened.logIn("wrong")).code).toBe(421);
  await opened.closed();
  (await relay.session()).end();
  await database.db.execute(sql`delete from rate_limits where subject = 'denied:127.0.0.1'`);
});

test("a key revoked within a session sends nothing more after a second", async () => {
  const revoked = await makeProject(database.db);
  const opened = await relay.session(revoked.apiKey);
  expect((await opened.send(plainMessage(), ["a@example.com"])).code).toBe(250);
  const { data } = await listApiKeys(revoked.ctx, { limit: 1 });
  await deleteApiKey(revoked.ctx, data[0]?.id ?? "");
  const deadline = performance.now() + 1000;
  let answer = await opened.send(plainMessage(), ["a@example.com"]);
  while (answer.code === 250 && performance.now() < deadline) {
    answer = await opened.send(plainMessage(), ["a@example.com"]);
  }
  expect(answer.code).toBe(535);
  opened.end();
});

test("each message counts as a send of the key: 451 4.7.1 beyond the limit, over sessions together", async () => {
  const limited = await makeProject(database.db);
  await database.db
    .update(apiKeys)
    .set({ sendsPerMinute: 10 })
    .where(eq(apiKeys.projectId, limited.projectId));
  const sessions = await Promise.all(
    Array.from({ length: 4 }, () => relay.session(limited.apiKey)),
  );
  const answers = await Promise.all(
    sessions.map(async (opened) => {
      const codes: string[] = [];
      for (let nth = 0; nth < 5; nth++) {
        const { code, lines } = await opened.send(plainMessage(), ["a@example.com"]);
        codes.push(code === 250 ? "250" : `${code} ${lines[0]?.slice(0, 5)}`);
      }
      opened.end();
      return codes;
    }),
  );
  const all = answers.flat();
  expect(all.filter((code) => code === "250")).toHaveLength(10);
  expect(all.filter((code) => code === "451 4.7.1")).toHaveLength(10);
  expect(await relay.countEmails(limited.projectId)).toBe(10);
});

test("beyond the monthly limit mail is refused for now, and nothing is written", async () => {
  const limited = await makeProject(database.db);
  await database.db
    .update(projects)
    .set({ monthlyEmailLimit: 1 })
    .where(eq(projects.id, limited.projectId));
  const opened = await relay.session(limited.apiKey);
  const answer = await opened.send(plainMessage(), ["a@example.com", "b@example.com"]);
  expect(answer).toMatchObject({ code: 451 });
  expect(answer.lines[0]).toContain("limit of 1");
  expect((await opened.send(plainMessage(), ["a@example.com"])).code).toBe(250);
  expect(await relay.countEmails(limited.projectId)).toBe(1);
  opened.end();
});

test("100 recipients are taken, each with an id in the reply, the 101st is refused with 452", async () => {
  const opened = await relay.session();
  await opened.say("MAIL FROM:<a@b.example>");
  for (let nth = 1; nth <= 100; nth++) {
    expect((await opened.say(`RCPT TO:<p${nth}@example.com>`)).code).toBe(250);
  }
  expect(await opened.say("RCPT TO:<p101@example.com>")).toMatchObject({ code: 452 });
  await opened.say("DATA");
  opened.write(plainMessage());
  const { code, lines } = await opened.say("\r\n.");
  expect(code).toBe(250);
  expect(lines.join(" ").match(/em_[0-9a-z]{26}/g)).toHaveLength(100);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(506);
  opened.end();
});

test("a project that is sending too much at once is told 452 to try again, others are served", async () => {
  const connections: Socket[] = [];
  const remember = (message: unknown) => connections.push((message as { socket: Socket }).socket);
  subscribe("net.server.socket", remember);
  const line = `${"x".repeat(70)}\r\n`;
  const large = plainMessage(line.repeat(30_000_000 / line.length));
  const other = await makeProject(database.db);
  const [first, second, neighbour] = [
    await relay.session(),
    await relay.session(),
    await relay.session(other.apiKey),
  ];
  unsubscribe("net.server.socket", remember);
  for (const command of ["MAIL FROM:<a@b.example>", "RCPT TO:<a@example.com>", "DATA"]) {
    await first.say(command);
  }
  first.write(large);
  // The relay holds all of it, or else it would be this message that finds no more room.
  const ofFirst = connections.find(({ remotePort }) => remotePort === first.localPort);
  await until(() => (ofFirst?.bytesRead ?? 0) > large.length);
  const refused = await until(
    async () => {
      const answer = await second.send(large, ["b@example.com"]);
      return answer.code === 250 ? null : answer;
    },
    { seconds: 30 },
  );
  expect(refused).toMatchObject({ code: 452 });
  expect(refused.lines[0]).toMatch(/^4\.3\.1 /);
  expect((await second.send(plainMessage(), ["b@example.com"])).code).toBe(250);
  expect((await neighbour.send(large, ["c@example.com"])).code).toBe(250);
  expect((await first.say("\r\n.")).code).toBe(250);
  expect((await second.send(large, ["b@example.com"])).code).toBe(250);
  for (const session of [first, second, neighbour]) session.end();
}, 60_000);

test("40 MB are announced; more is refused with 552, when it is declared and when it comes", async () => {
  const opened = await SmtpClient.open(relay.port);
  await opened.say("EHLO x");
  expect((await opened.startTls()).lines).toContain("SIZE 41943040");
  const token = loginToken(relay.project.apiKey);
  await opened.say(`AUTH PLAIN ${token}`);
  expect((await opened.say("MAIL FROM:<a@b.example> SIZE=41943041")).code).toBe(552);
  const line = `${"x".repeat(998)}\r\n`;
  const big = plainMessage(line.repeat(Math.ceil((40 * 1024 * 1024) / 1000)));
  const answer = await opened.send(big, ["a@example.com"]);
  expect(answer).toMatchObject({ code: 552 });
  expect(answer.lines[0]).toMatch(/^5\.3\.4 /);
  // The session goes on.
  expect((await opened.send(plainMessage(), ["a@example.com"])).code).toBe(250);
  opened.end();
});

test("more than 25 MB of attachments are refused with 552", async () => {
  const attachments = [{ filename: "a.bin", content: Buffer.alloc(25 * 1024 * 1024 + 1, 7) }];
  expect(await relay.refused({ to: "a@example.com", attachments })).toMatch(/^552 5\.3\.4 .*25 MB/);
});

test.each(["postmaster", "a@[127.0.0.1]", "a@localhost", '"a b"@example.com', "a@exa_mple..com"])(
  "%s is no recipient",
  async (address) => {
    const opened = await relay.session();
    await opened.say("MAIL FROM:<a@b.example>");
    const { code } = await opened.say(`RCPT TO:<${address}>`);
    expect([501, 553]).toContain(code);
    opened.end();
  },
);

test("only CR LF . CR LF ends a message: no other ending smuggles one in", async () => {
  const opened = await relay.session();
  const before = await relay.countEmails();
  for (const ending of ["\n.\n", "\n.\r\n", "\r.\r", "\r\n.\n", "\r\n.\r"]) {
    const smuggled = `${ending}MAIL FROM:<x@y.example>\r\nRCPT TO:<v@example.com>\r\nDATA\r\nFrom: b@sandbox.test\r\n\r\nevil`;
    const { code } = await opened.send(plainMessage(`one${smuggled}`), ["a@example.com"]);
    expect(code).toBe(250);
  }
  expect(await relay.countEmails()).toBe(before + 5);
  opened.end();
});

test("one session sends many messages, and pipelined commands are answered in order", async () => {
  const opened = await relay.session();
  const before = await relay.countEmails();
  for (let nth = 0; nth < 3; nth++) {
    opened.write(
      "MAIL FROM:<a@b.example>\r\nRCPT TO:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n",
    );
    const codes = [];
    for (let reply = 0; reply < 4; reply++) codes.push((await opened.answer()).code);
    expect(codes).toEqual([250, 250, 250, 354]);
    expect((await opened.say(`${plainMessage()}\r\n.`)).code).toBe(250);
  }
  expect(await relay.countEmails()).toBe(before + 6);
  expect((await opened.say("QUIT")).code).toBe(221);
  await opened.closed();
});

test("a message that is cut off is not sent", async () => {
  const opened = await relay.session();
  const before = await relay.countEmails();
  await opened.say("MAIL FROM:<a@b.example>");
  await opened.say("RCPT TO:<a@example.com>");
  await opened.say("DATA");
  opened.write(plainMessage());
  opened.end();
  const next = await relay.session();
  expect((await next.send(plainMessage(), ["a@example.com"])).code).toBe(250);
  expect(await relay.countEmails()).toBe(before + 1);
  next.end();
});

test("closing lets a message under way end with 250, and tells idle sessions 421", async () => {
  const own = await relay.start({ plaintextAuth: true });
  const token = loginToken(relay.project.apiKey);
  const [busy, idle] = await Promise.all([SmtpClient.open(own.port), SmtpClient.open(own.port)]);
  for (const client of [busy, idle]) {
    await client.say("EHLO x");
    await client.say(`AUTH PLAIN ${token}`);
  }
  await busy.say("MAIL FROM:<a@b.example>");
  await busy.say("RCPT TO:<a@example.com>");
  await busy.say("DATA");
  const closed = own.close();
  expect((await idle.answer()).code).toBe(421);
  await idle.closed();
  busy.write(plainMessage());
  expect((await busy.say("\r\n.")).code).toBe(250);
  expect((await busy.answer()).code).toBe(421);
  await closed;
});
