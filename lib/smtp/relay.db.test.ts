import { eq, sql } from "drizzle-orm";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys, domains, emails, messages, projects, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createApiKey, deleteApiKey, listApiKeys } from "@/lib/api-keys/api-keys";
import { decodeId } from "@/lib/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { relayCertificate, type Certificate } from "./certificate";
import { startRelay, type Relay } from "./server";

const database = useTestDatabase();
let relay: Relay;
let certificate: Certificate;
let project: TestProject;

beforeAll(async () => {
  certificate = await relayCertificate(database.db);
  relay = await startRelay({
    db: database.db,
    host: "127.0.0.1",
    port: 0,
    hostname: "localhost",
    certificate,
    plaintextAuth: false,
  });
  project = await makeProject(database.db);
});
afterAll(() => relay.close());

const from = "Ada Löve <ada@sandbox.test>";
const plain = (extra = "", body = "Hello") =>
  `From: ada@sandbox.test\r\nTo: bob@example.com\r\nSubject: Hi\r\n${extra}\r\n${body}`;

function client(pass = project.apiKey, port = relay.port) {
  return nodemailer.createTransport({
    host: "127.0.0.1",
    port,
    requireTLS: true,
    tls: { ca: certificate.cert },
    auth: { user: "apikey", pass },
  });
}

async function send(options: SendMailOptions, pass?: string) {
  const transport = client(pass);
  try {
    const { response } = await transport.sendMail({
      from,
      subject: "Hi",
      text: "Hello",
      ...options,
    });
    return response;
  } finally {
    transport.close();
  }
}

const refused = (options: SendMailOptions, pass?: string) =>
  send(options, pass).then(
    (response) => response,
    (error: Error & { response?: string }) => error.response ?? error.message,
  );

async function recordsOf(response: string) {
  const ids = [...response.matchAll(/em_[0-9a-z]+/g)].map(([id]) => decodeId("email", id) ?? "");
  const rows = [];
  for (const id of ids) {
    const [row] = await database.db
      .select()
      .from(emails)
      .innerJoin(messages, eq(messages.id, emails.messageId))
      .where(eq(emails.id, id));
    if (row) rows.push(row);
  }
  return rows;
}

async function countEmails(projectId = project.projectId): Promise<number> {
  return database.db.$count(emails, eq(emails.projectId, projectId));
}

async function session(pass = project.apiKey): Promise<SmtpClient> {
  const opened = await SmtpClient.open(relay.port);
  expect((await opened.logIn(pass)).code).toBe(235);
  return opened;
}

test("a client that checks certificates sends mail over STARTTLS and is told the email's id", async () => {
  const response = await send({
    to: "Bob Ünger <bob@example.com>",
    replyTo: '"Help, Desk" <help@sandbox.test>',
    subject: "Grüße {{ firstName }}",
    text: "Plain {{ firstName }}",
    html: "<p>{{ firstName }}</p>",
    headers: { "X-Tag": "welcome", "List-Unsubscribe": "<https://example.com>" },
  });
  expect(response).toMatch(/^250 2\.6\.0 Accepted em_[0-9a-z]{26}$/);
  const [record, ...more] = await recordsOf(response);
  expect(more).toEqual([]);
  expect(record?.emails).toMatchObject({
    projectId: project.projectId,
    recipient: "bob@example.com",
    recipientName: "Bob Ünger",
    status: "PENDING",
    source: "TRANSACTIONAL",
  });
  expect(record?.messages).toMatchObject({
    fromEmail: "ada@sandbox.test",
    fromName: "Ada Löve",
    replyTo: '"Help, Desk" <help@sandbox.test>',
    subject: "Grüße {{ firstName }}",
    liquid: false,
    trackOpens: false,
    trackClicks: false,
    test: false,
  });
  expect(record?.messages.text?.trim()).toBe("Plain {{ firstName }}");
  expect(record?.messages.html?.trim()).toBe("<p>{{ firstName }}</p>");
  expect(record?.messages.headers).toEqual({ "X-Tag": "welcome" });
});

test("the envelope decides who gets it, Bcc included, each with an own record", async () => {
  const before = await countEmails();
  const response = await send({
    to: ["a@example.com", "not-in-envelope@example.com"],
    envelope: { from: "x@y.example", to: ["a@example.com", "hidden@example.com", "A@example.com"] },
  });
  const records = await recordsOf(response);
  expect(records.map(({ emails: email }) => email.recipient).sort()).toEqual([
    "A@example.com",
    "hidden@example.com",
  ]);
  expect(await countEmails()).toBe(before + 2);
});

test("attachments come through, inline ones with their id, and share their content", async () => {
  const response = await send({
    to: "a@example.com",
    html: '<img src="cid:logo@x">',
    attachments: [
      {
        filename: "Rechnung ä.pdf",
        content: Buffer.from("%PDF-1"),
        contentType: "application/pdf",
      },
      { filename: "logo.png", content: Buffer.from([1, 2, 3]), cid: "logo@x" },
    ],
  });
  const [record] = await recordsOf(response);
  const stored = await database.db.execute(sql`
    select filename, content_type, content_id, encode(content, 'hex') as content
    from message_attachments join attachment_blobs using (project_id, sha256)
    where message_id = ${record?.messages.id ?? ""} order by filename`);
  expect([...stored]).toEqual([
    {
      filename: "Rechnung ä.pdf",
      content_type: "application/pdf",
      content_id: null,
      content: Buffer.from("%PDF-1").toString("hex"),
    },
    {
      filename: "logo.png",
      content_type: "image/png",
      content_id: "logo@x",
      content: "010203",
    },
  ]);
});

test("an unverified sender is refused with 550 5.7.1 after DATA, whatever MAIL FROM said", async () => {
  expect(
    await refused({
      from: "a@unverified.example",
      to: "a@example.com",
      envelope: { from: "ada@sandbox.test", to: "a@example.com" },
    }),
  ).toMatch(/^550 5\.7\.1 .*unverified\.example/);
});

test("the domain of another project is not verified in this one", async () => {
  const other = await makeProject(database.db);
  await database.db
    .update(domains)
    .set({ name: "only-theirs.example" })
    .where(eq(domains.projectId, other.projectId));
  expect(await refused({ from: "a@only-theirs.example", to: "a@example.com" })).toMatch(
    /^550 5\.7\.1/,
  );
});

test.each([
  ["none", "Subject: x\r\n\r\nbody"],
  ["two fields", "From: a@sandbox.test\r\nFrom: b@sandbox.test\r\n\r\nbody"],
  ["two addresses", "From: a@sandbox.test, b@sandbox.test\r\n\r\nbody"],
  ["a group", "From: Team: a@sandbox.test;\r\n\r\nbody"],
  ["an address without a domain", "From: Ada <ada>\r\n\r\nbody"],
])("a From header with %s is refused with 554", async (_, message) => {
  const opened = await session();
  expect(await opened.send(message, ["a@example.com"])).toMatchObject({ code: 554 });
  opened.end();
});

test("a wrong user, a wrong key and a revoked key are refused with 535 5.7.8", async () => {
  const revoked = await makeProject(database.db);
  const { data } = await listApiKeys(revoked.ctx, { limit: 1 });
  await deleteApiKey(revoked.ctx, data[0]?.id ?? "");
  for (const [user, pass] of [
    ["root", project.apiKey],
    ["apikey", `${project.apiKey.slice(0, -1)}!`],
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
  const { key } = await createApiKey(project.ctx, { name: "Sender", scope: "sending" });
  const opened = await SmtpClient.open(relay.port);
  await opened.say("EHLO x");
  await opened.startTls();
  expect((await opened.say("AUTH LOGIN")).code).toBe(334);
  expect((await opened.say(Buffer.from("apikey").toString("base64"))).code).toBe(334);
  expect((await opened.say(Buffer.from(key).toString("base64"))).code).toBe(235);
  expect((await opened.send(plain(), ["a@example.com"])).code).toBe(250);
  opened.end();
});

test("without TLS, AUTH is neither offered nor taken, and mail is refused", async () => {
  const opened = await SmtpClient.open(relay.port);
  const { lines } = await opened.say("EHLO x");
  expect(lines).toContain("STARTTLS");
  expect(lines.join()).not.toContain("AUTH");
  const token = Buffer.from(`\0apikey\0${project.apiKey}`).toString("base64");
  expect((await opened.say(`AUTH PLAIN ${token}`)).code).toBe(538);
  expect((await opened.say("MAIL FROM:<a@b.example>")).code).toBe(530);
  const secure = await opened.startTls();
  expect(secure.lines.join()).toContain("AUTH PLAIN LOGIN");
  opened.end();
});

test("plaintext logins work from loopback where that is set", async () => {
  const open = await startRelay({
    db: database.db,
    host: "127.0.0.1",
    port: 0,
    hostname: "localhost",
    certificate,
    plaintextAuth: true,
  });
  const opened = await SmtpClient.open(open.port);
  expect((await opened.say("EHLO x")).lines.join()).toContain("AUTH");
  const token = Buffer.from(`\0apikey\0${project.apiKey}`).toString("base64");
  expect((await opened.say(`AUTH PLAIN ${token}`)).code).toBe(235);
  opened.end();
  await open.close();
});

test("what a client pipelines behind STARTTLS in plain text is not heard", async () => {
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
  const token = Buffer.from("\0apikey\0wrong").toString("base64");
  const codes: number[] = [];
  for (let attempt = 1; attempt <= 5; attempt++) {
    codes.push((await opened.say(`AUTH PLAIN ${token}`)).code);
  }
  expect(codes).toEqual([535, 535, 535, 535, 421]);
  await opened.closed();
});

test("failed logins are counted by address together with those over HTTP, valid keys are not", async () => {
  await database.db.execute(sql`
    insert into rate_limits (subject, resets_at, used)
    values ('denied:127.0.0.1', app_now() + interval '1 minute', 600)
    on conflict (subject) do update set used = 600, resets_at = excluded.resets_at`);
  const opened = await SmtpClient.open(relay.port);
  expect((await opened.logIn("wrong")).code).toBe(421);
  await opened.closed();
  (await session()).end();
  await database.db.execute(sql`delete from rate_limits where subject = 'denied:127.0.0.1'`);
});

test("a key revoked within a session sends nothing more after a second", async () => {
  const revoked = await makeProject(database.db);
  const opened = await session(revoked.apiKey);
  expect((await opened.send(plain(), ["a@example.com"])).code).toBe(250);
  const { data } = await listApiKeys(revoked.ctx, { limit: 1 });
  await deleteApiKey(revoked.ctx, data[0]?.id ?? "");
  const deadline = performance.now() + 1000;
  let answer = await opened.send(plain(), ["a@example.com"]);
  while (answer.code === 250 && performance.now() < deadline) {
    answer = await opened.send(plain(), ["a@example.com"]);
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
  const sessions = await Promise.all(Array.from({ length: 4 }, () => session(limited.apiKey)));
  const answers = await Promise.all(
    sessions.map(async (opened) => {
      const codes: string[] = [];
      for (let nth = 0; nth < 5; nth++) {
        const { code, lines } = await opened.send(plain(), ["a@example.com"]);
        codes.push(code === 250 ? "250" : `${code} ${lines[0]?.slice(0, 5)}`);
      }
      opened.end();
      return codes;
    }),
  );
  const all = answers.flat();
  expect(all.filter((code) => code === "250")).toHaveLength(10);
  expect(all.filter((code) => code === "451 4.7.1")).toHaveLength(10);
  expect(await countEmails(limited.projectId)).toBe(10);
});

test("the monthly limit is refused for now, and writes nothing", async () => {
  const limited = await makeProject(database.db);
  await database.db
    .update(projects)
    .set({ monthlyEmailLimit: 1 })
    .where(eq(projects.id, limited.projectId));
  const opened = await session(limited.apiKey);
  const answer = await opened.send(plain(), ["a@example.com", "b@example.com"]);
  expect(answer).toMatchObject({ code: 451 });
  expect(answer.lines[0]).toContain("limit of 1");
  expect((await opened.send(plain(), ["a@example.com"])).code).toBe(250);
  expect(await countEmails(limited.projectId)).toBe(1);
  opened.end();
});

test("100 recipients are taken, each with an id in the reply, the 101st is refused with 452", async () => {
  const opened = await session();
  await opened.say("MAIL FROM:<a@b.example>");
  for (let nth = 1; nth <= 100; nth++) {
    expect((await opened.say(`RCPT TO:<p${nth}@example.com>`)).code).toBe(250);
  }
  expect(await opened.say("RCPT TO:<p101@example.com>")).toMatchObject({ code: 452 });
  await opened.say("DATA");
  opened.write(plain());
  const { code, lines } = await opened.say("\r\n.");
  expect(code).toBe(250);
  expect(lines.join(" ").match(/em_[0-9a-z]{26}/g)).toHaveLength(100);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(506);
  opened.end();
});

test("40 MB are announced; more is refused with 552, when it is declared and when it comes", async () => {
  const opened = await SmtpClient.open(relay.port);
  await opened.say("EHLO x");
  expect((await opened.startTls()).lines).toContain("SIZE 41943040");
  const token = Buffer.from(`\0apikey\0${project.apiKey}`).toString("base64");
  await opened.say(`AUTH PLAIN ${token}`);
  expect((await opened.say("MAIL FROM:<a@b.example> SIZE=41943041")).code).toBe(552);
  const line = `${"x".repeat(998)}\r\n`;
  const big = plain("", line.repeat(Math.ceil((40 * 1024 * 1024) / 1000)));
  const answer = await opened.send(big, ["a@example.com"]);
  expect(answer).toMatchObject({ code: 552 });
  expect(answer.lines[0]).toMatch(/^5\.3\.4 /);
  // The session goes on.
  expect((await opened.send(plain(), ["a@example.com"])).code).toBe(250);
  opened.end();
});

test("more than 25 MB of attachments are refused with 552", async () => {
  const attachments = [{ filename: "a.bin", content: Buffer.alloc(25 * 1024 * 1024 + 1, 7) }];
  expect(await refused({ to: "a@example.com", attachments })).toMatch(/^552 5\.3\.4 .*25 MB/);
});

test.each(["postmaster", "a@[127.0.0.1]", "a@localhost", '"a b"@example.com', "a@exa_mple..com"])(
  "%s is no recipient",
  async (address) => {
    const opened = await session();
    await opened.say("MAIL FROM:<a@b.example>");
    const { code } = await opened.say(`RCPT TO:<${address}>`);
    expect([501, 553]).toContain(code);
    opened.end();
  },
);

test("addresses beyond ASCII work with SMTPUTF8, their domain is kept as A-label", async () => {
  const response = await send({ to: "jürgen@bücher.example" });
  const [record] = await recordsOf(response);
  expect(record?.emails.recipient).toBe("jürgen@xn--bcher-kva.example");
});

test("NUL is refused, bare CR and LF end up as line breaks and never as headers", async () => {
  const opened = await session();
  expect((await opened.send(plain("", "a\0b"), ["a@example.com"])).code).toBe(554);
  const encoded = Buffer.from("Hi\r\nBcc: x@evil.example").toString("base64");
  const answer = await opened.send(
    `From: =?utf-8?B?${encoded}?= <ada@sandbox.test>\nSubject: =?utf-8?B?${encoded}?=\nX-One: a\rBcc: y@evil.example\n\none\ntwo\rthree`,
    ["a@example.com"],
  );
  expect(answer.code).toBe(250);
  const [record] = await recordsOf(answer.lines.join());
  expect(record?.messages.fromName).toBe("Hi Bcc: x@evil.example");
  expect(record?.messages.subject).toBe("Hi Bcc: x@evil.example");
  expect(record?.messages.headers).toEqual({ "X-One": "a Bcc: y@evil.example" });
  opened.end();
});

test("only CR LF . CR LF ends a message: nothing can be smuggled behind another ending", async () => {
  const opened = await session();
  const before = await countEmails();
  for (const ending of ["\n.\n", "\n.\r\n", "\r.\r", "\r\n.\n", "\r\n.\r"]) {
    const smuggled = `${ending}MAIL FROM:<x@y.example>\r\nRCPT TO:<v@example.com>\r\nDATA\r\nFrom: b@sandbox.test\r\n\r\nevil`;
    const { code } = await opened.send(plain("", `one${smuggled}`), ["a@example.com"]);
    expect(code).toBe(250);
  }
  expect(await countEmails()).toBe(before + 5);
  opened.end();
});

test("lines that begin with a dot arrive as they were written", async () => {
  const opened = await session();
  const answer = await opened.send(plain("", "..one\r\n..\r\n...two"), ["a@example.com"]);
  const [record] = await recordsOf(answer.lines.join());
  expect(record?.messages.text?.trimEnd()).toBe(".one\n.\n..two");
  opened.end();
});

test("a message without subject, text or HTML is accepted as it is", async () => {
  const opened = await session();
  const answer = await opened.send("From: ada@sandbox.test\r\n\r\n", ["a@example.com"]);
  expect(answer.code).toBe(250);
  const [record] = await recordsOf(answer.lines.join());
  expect(record?.messages).toMatchObject({ subject: "", html: null });
  expect(record?.messages.text?.trim()).toBe("");
  opened.end();
});

test("one session sends many messages, and pipelined commands are answered in order", async () => {
  const opened = await session();
  const before = await countEmails();
  for (let nth = 0; nth < 3; nth++) {
    opened.write(
      "MAIL FROM:<a@b.example>\r\nRCPT TO:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n",
    );
    const codes = [];
    for (let reply = 0; reply < 4; reply++) codes.push((await opened.answer()).code);
    expect(codes).toEqual([250, 250, 250, 354]);
    expect((await opened.say(`${plain()}\r\n.`)).code).toBe(250);
  }
  expect(await countEmails()).toBe(before + 6);
  expect((await opened.say("QUIT")).code).toBe(221);
  await opened.closed();
});

test("a message that does not come in whole is not sent", async () => {
  const opened = await session();
  const before = await countEmails();
  await opened.say("MAIL FROM:<a@b.example>");
  await opened.say("RCPT TO:<a@example.com>");
  await opened.say("DATA");
  opened.write(plain());
  opened.end();
  const next = await session();
  expect((await next.send(plain(), ["a@example.com"])).code).toBe(250);
  expect(await countEmails()).toBe(before + 1);
  next.end();
});

test("an Idempotency-Key header makes repeated hand-overs one, also when dates and ids are new", async () => {
  const before = await countEmails();
  const mail = { to: "a@example.com", headers: { "Idempotency-Key": "order-7" } };
  const first = await send(mail);
  expect(await send(mail)).toBe(first);
  expect(await refused({ ...mail, subject: "Another" })).toMatch(/^451 4\.3\.0 .*Idempotency-Key/);
  expect(await countEmails()).toBe(before + 1);
  const [record] = await recordsOf(first);
  expect(record?.messages.headers).toEqual({});
});

test("what a test key sends is marked for the captured mailbox", async () => {
  const { key } = await createApiKey(project.ctx, { name: "Trial", mode: "test" });
  const [record] = await recordsOf(await send({ to: "a@example.com" }, key));
  expect(record?.messages.test).toBe(true);
});

test("a suppressed recipient gets a record and no mail", async () => {
  await database.db
    .insert(suppressions)
    .values({ projectId: project.projectId, email: "gone@example.com", reason: "hard_bounce" });
  const [record] = await recordsOf(await send({ to: "gone@example.com" }));
  expect(record?.emails).toMatchObject({ status: "FAILED", dueAt: null });
});

test("a fault of ours is 451 with a request id and nothing of the database's words", async () => {
  await database.db.execute(sql`alter table messages rename to messages_away`);
  try {
    const response = await refused({ to: "a@example.com" });
    expect(response).toMatch(
      /^451 4\.3\.0 Something went wrong on our side\. Request: req_[0-9a-f]{32}\.$/,
    );
  } finally {
    await database.db.execute(sql`alter table messages_away rename to messages`);
  }
});

test("closing lets a message under way end with 250, and tells idle sessions 421", async () => {
  const own = await startRelay({
    db: database.db,
    host: "127.0.0.1",
    port: 0,
    hostname: "localhost",
    certificate,
    plaintextAuth: true,
  });
  const token = Buffer.from(`\0apikey\0${project.apiKey}`).toString("base64");
  const [busy, idle] = await Promise.all([SmtpClient.open(own.port), SmtpClient.open(own.port)]);
  for (const one of [busy, idle]) {
    await one.say("EHLO x");
    await one.say(`AUTH PLAIN ${token}`);
  }
  await busy.say("MAIL FROM:<a@b.example>");
  await busy.say("RCPT TO:<a@example.com>");
  await busy.say("DATA");
  const closed = own.close();
  expect((await idle.answer()).code).toBe(421);
  await idle.closed();
  busy.write(plain());
  expect((await busy.say("\r\n.")).code).toBe(250);
  expect((await busy.answer()).code).toBe(421);
  await closed;
});
