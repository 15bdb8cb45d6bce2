import { createPrivateKey, createPublicKey } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { domains, emailQueue, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { getEmail } from "@/lib/domain/emails/read";
import { encodeId, newId, newUnownedId } from "@/lib/ground/ids/ids";
import { unseal } from "@/lib/ground/secrets";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { makeProject } from "@/lib/testing";
import { plainMessage, useRelay } from "@/lib/testing/relay";

const database = useTestDatabase();
const relay = useRelay(database);

test("a client that checks certificates sends mail over STARTTLS and is told the email's id", async () => {
  const response = await relay.send({
    to: "Bob Ünger <bob@example.com>",
    replyTo: '"Help, Desk" <help@sandbox.test>',
    subject: "Grüße {{ firstName }}",
    text: "Plain {{ firstName }}",
    html: "<p>{{ firstName }}</p>",
    headers: { "X-Tag": "welcome", "List-Unsubscribe": "<https://example.com>" },
    cc: "Carol <carol@example.com>",
    envelope: { from: "x@y.example", to: "bob@example.com" },
  });
  expect(response).toMatch(/^250 2\.6\.0 Accepted em_[0-9a-z]{26}$/);
  const [record, ...more] = await relay.recordsOf(response);
  expect(more).toEqual([]);
  expect(record?.emails).toMatchObject({
    projectId: relay.project.projectId,
    recipient: "bob@example.com",
    recipientName: "Bob Ünger",
    status: "PENDING",
    source: "TRANSACTIONAL",
  });
  expect(record?.messages).toMatchObject({
    fromEmail: "ada@sandbox.test",
    fromName: "Ada Löve",
    subject: "Grüße {{ firstName }}",
    liquid: false,
    trackOpens: false,
    trackClicks: false,
    test: false,
  });
  const [sent] = await relay.sentTo(response);
  const parsed = await PostalMime.parse(sent?.raw ?? "");
  expect(parsed).toMatchObject({
    from: { address: "ada@sandbox.test", name: "Ada Löve" },
    to: [{ address: "bob@example.com", name: "Bob Ünger" }],
    cc: [{ address: "carol@example.com", name: "Carol" }],
    replyTo: [{ address: "help@sandbox.test", name: "Help, Desk" }],
    subject: "Grüße {{ firstName }}",
  });
  expect(parsed.text?.trim()).toBe("Plain {{ firstName }}");
  expect(parsed.html?.trim()).toBe("<p>{{ firstName }}</p>");
  const headers = new Map(parsed.headers.map(({ key, value }) => [key, value]));
  expect(headers.get("x-tag")).toBe("welcome");
  expect(headers.get("list-unsubscribe")).toBe("<https://example.com>");
});

test("the envelope decides who gets it, Bcc included, each with an own record", async () => {
  const before = await relay.countEmails();
  const response = await relay.send({
    to: ["a@example.com", "not-in-envelope@example.com"],
    envelope: { from: "x@y.example", to: ["a@example.com", "hidden@example.com", "A@example.com"] },
  });
  const records = await relay.recordsOf(response);
  expect(records.map(({ emails: email }) => email.recipient).sort()).toEqual([
    "A@example.com",
    "hidden@example.com",
  ]);
  expect(await relay.countEmails()).toBe(before + 2);
});

test("attachments come through, inline ones with their id", async () => {
  const response = await relay.send({
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
  const [sent] = await relay.sentTo(response);
  const { attachments } = await PostalMime.parse(sent?.raw ?? "", {
    attachmentEncoding: "arraybuffer",
  });
  expect(
    attachments.map(({ filename, mimeType, contentId, content }) => [
      filename,
      mimeType,
      contentId,
      Buffer.from(content as ArrayBuffer).toString("hex"),
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["logo.png", "image/png", "<logo@x>", "010203"],
      ["Rechnung ä.pdf", "application/pdf", undefined, Buffer.from("%PDF-1").toString("hex")],
    ]),
  );
  expect(attachments).toHaveLength(2);
});

test("an unverified sender is refused with 550 5.7.1 after DATA, whatever MAIL FROM said", async () => {
  expect(
    await relay.refused({
      from: "a@unverified.example",
      to: "a@example.com",
      envelope: { from: "ada@sandbox.test", to: "a@example.com" },
    }),
  ).toMatch(/^550 5\.7\.1 From: .*unverified\.example .*does not have it: add it under Domains/);
  await createDomain(relay.project.ctx, { name: "pending.example" });
  expect(await relay.refused({ from: "a@pending.example", to: "a@example.com" })).toMatch(
    /^550 5\.7\.1 From: .*pending\.example .*status is PENDING.*verify it/,
  );
  await database.db.delete(domains).where(eq(domains.name, "pending.example"));
});

test("Received names the client: what it calls itself, if that is a name, and its address", async () => {
  const opened = await relay.session();
  const received = async () => {
    const answer = await opened.send(plainMessage(), ["bob@example.com"]);
    const [sent] = await relay.sentTo(answer.lines.join());
    return sent?.raw.toString("latin1").match(/^Received: .*(?:\r\n .*)*/m)?.[0];
  };
  expect(await received()).toMatch(
    /^Received: from client\.example\.com \(\[127\.0\.0\.1\]\)\r\n by \S+ \(Lettermill\) with ESMTPSA\r\n id em_\w{26}; /,
  );
  await opened.say("EHLO shop(by=evil)");
  expect(await received()).toMatch(/^Received: from unknown \(\[127\.0\.0\.1\]\)\r\n/);
  opened.end();
});

test("the domain of another project is not verified in this one", async () => {
  const otherProject = await makeProject(database.db);
  await database.db
    .update(domains)
    .set({ name: "only-theirs.example" })
    .where(eq(domains.projectId, otherProject.projectId));
  expect(await relay.refused({ from: "a@only-theirs.example", to: "a@example.com" })).toMatch(
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
  const opened = await relay.session();
  expect(await opened.send(message, ["a@example.com"])).toMatchObject({ code: 554 });
  opened.end();
});

test("addresses beyond ASCII work with SMTPUTF8, their domain is kept as A-label", async () => {
  const response = await relay.send({ to: "jürgen@bücher.example" });
  const [record] = await relay.recordsOf(response);
  expect(record?.emails.recipient).toBe("jürgen@xn--bcher-kva.example");
});

test("NUL is refused, bare CR and LF end up as line breaks and never as headers", async () => {
  const opened = await relay.session();
  expect((await opened.send(plainMessage("a\0b"), ["a@example.com"])).code).toBe(554);
  const encoded = Buffer.from("Hi\r\nBcc: x@evil.example").toString("base64");
  const answer = await opened.send(
    `From: =?utf-8?B?${encoded}?= <ada@sandbox.test>\nSubject: =?utf-8?B?${encoded}?=\nX-One: a\rBcc: y@evil.example\n\none\ntwo\rthree`,
    ["a@example.com"],
  );
  expect(answer.code).toBe(250);
  const [record] = await relay.recordsOf(answer.lines.join());
  expect(record?.messages.fromName).toBe("Hi Bcc: x@evil.example");
  expect(record?.messages.subject).toBe("Hi Bcc: x@evil.example");
  const [sent] = await relay.sentTo(answer.lines.join());
  const text = sent?.raw.toString("latin1") ?? "";
  expect(text).toMatch(/\r\nX-One: a Bcc: y@evil\.example\r\n\r\none\r\ntwo\r\nthree\r\n$/);
  const { headers } = await PostalMime.parse(text);
  expect(headers.filter(({ key }) => key === "bcc")).toEqual([]);
  opened.end();
});

test("lines that begin with a dot arrive as they were written", async () => {
  const opened = await relay.session();
  const answer = await opened.send(plainMessage("..one\r\n..\r\n...two"), ["a@example.com"]);
  const [sent] = await relay.sentTo(answer.lines.join());
  expect(sent?.raw.toString().endsWith("\r\n\r\n.one\r\n.\r\n..two\r\n")).toBe(true);
  opened.end();
});

test("a message without subject, text or HTML is accepted as it is", async () => {
  const opened = await relay.session();
  const answer = await opened.send("From: ada@sandbox.test\r\n\r\n", ["a@example.com"]);
  expect(answer.code).toBe(250);
  const [record] = await relay.recordsOf(answer.lines.join());
  expect(record?.messages).toMatchObject({ subject: "", html: null });
  const [sent] = await relay.sentTo(answer.lines.join());
  expect(sent?.raw.toString()).toMatch(
    /\r\nTo: a@example\.com\r\nFrom: ada@sandbox\.test\r\n\r\n(\r\n)?$/,
  );
  opened.end();
});

test("an Idempotency-Key header makes repeated hand-overs one, also when dates and ids are new", async () => {
  const before = await relay.countEmails();
  const mail = { to: "a@example.com", headers: { "Idempotency-Key": "order-7" } };
  const first = await relay.send(mail);
  expect(await relay.send(mail)).toBe(first);
  expect(await relay.refused({ ...mail, subject: "Another" })).toMatch(
    /^451 4\.3\.0 .*Idempotency-Key/,
  );
  expect(await relay.countEmails()).toBe(before + 1);
  const [sent] = await relay.sentTo(first);
  expect(sent?.raw.toString()).not.toContain("order-7");
});

test("what a test key sends is marked for the captured mailbox", async () => {
  const { key } = await createApiKey(relay.project.ctx, { name: "Trial", mode: "test" });
  const [record] = await relay.recordsOf(await relay.send({ to: "a@example.com" }, key));
  expect(record?.messages.test).toBe(true);
});

test("a suppressed recipient gets a record and no mail", async () => {
  await database.db.insert(suppressions).values({
    id: newId(relay.project.projectId),
    projectId: relay.project.projectId,
    email: "gone@example.com",
    reason: "hard_bounce",
  });
  const [record] = await relay.recordsOf(await relay.send({ to: "gone@example.com" }));
  expect(record?.emails.status).toBe("FAILED");
  const waiting = eq(emailQueue.emailId, record?.emails.id ?? "");
  expect(await database.db.$count(emailQueue, waiting)).toBe(0);
});

test("a fault of ours is 451 with a request id and nothing of the database's words", async () => {
  await database.db.execute(sql`alter table messages rename to messages_away`);
  try {
    const response = await relay.refused({ to: "a@example.com" });
    expect(response).toMatch(
      /^451 4\.3\.0 Something went wrong on our side\. Request: req_[0-9a-f]{32}\.$/,
    );
  } finally {
    await database.db.execute(sql`alter table messages_away rename to messages`);
  }
});

const invitation = (id: string) =>
  [
    "From: Ada <ada@sandbox.test>",
    "To: Bob <bob@example.com>",
    "Cc: Carol <carol@example.com>",
    "Date: Fri, 20 Nov 2026 10:00:00 +0100",
    `Message-ID: <${id}>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256;',
    ' boundary="s"',
    "",
    "--s",
    "Content-Type: text/plain",
    "",
    "Trailing blanks  ",
    ".dot",
    "--s",
    "Content-Type: application/pkcs7-signature; name=smime.p7s",
    "Content-Transfer-Encoding: base64",
    "",
    "MIIB",
    "--s--",
  ].join("\r\n");
// As SMTP carries it: the client doubles dots.
const stuffed = (message: string) => message.replace(/^\./gm, "..");

test("a signed message reaches each recipient byte for byte, under our signature, with its own id and date", async () => {
  const opened = await relay.session();
  const message = invitation("first@client.example");
  const answer = await opened.send(stuffed(message), ["bob@example.com", "carol@example.com"]);
  opened.end();
  const reply = answer.lines.join();
  const [domain] = await database.db
    .select()
    .from(domains)
    .where(eq(domains.projectId, relay.project.projectId));
  const key = createPublicKey(createPrivateKey(unseal(domain?.dkimPrivateKeySealed ?? "")));
  const record = `v=DKIM1; k=rsa; p=${key.export({ type: "spki", format: "der" }).toString("base64")}`;
  const sent = await relay.sentTo(reply);
  expect(sent.map(({ recipient }) => recipient)).toEqual(["bob@example.com", "carol@example.com"]);
  for (const { raw } of sent) {
    expect(raw.toString("latin1").endsWith(`\r\n${message}\r\n`)).toBe(true);
    const { results } = await dkimVerify(raw, { resolver: () => Promise.resolve([[record]]) });
    expect(results[0]).toMatchObject({
      signingDomain: "sandbox.test",
      status: { result: "pass" },
    });
  }
  const [email] = await relay.recordsOf(reply);
  const id = encodeId("email", email?.emails.id ?? "");
  expect((await getEmail(relay.project.ctx, id)).messageId).toBe("first@client.example");
});

test("a Message-ID is the client's once per project, then each email gets one of ours", async () => {
  const otherProject = await makeProject(database.db);
  const send = async (key: string, id: string) => {
    const opened = await relay.session(key);
    const answer = await opened.send(stuffed(invitation(id)), ["bob@example.com"]);
    opened.end();
    const [sent] = await relay.sentTo(answer.lines.join());
    const ids = sent?.raw.toString("latin1").match(/^Message-ID: .*$/gim) ?? [];
    return ids.join().trim();
  };
  const { apiKey } = relay.project;
  expect(await send(apiKey, "again@client.example")).toBe("Message-ID: <again@client.example>");
  const ours = /^Message-ID: <em_[0-9a-z]{26}@sandbox\.test>$/;
  expect(await send(apiKey, "again@client.example")).toMatch(ours);
  expect(await send(otherProject.apiKey, "again@client.example")).toBe(
    "Message-ID: <again@client.example>",
  );
  // An id in the form of ours would answer for another email.
  const forged = `${encodeId("email", newUnownedId())}@sandbox.test`;
  expect(await send(apiKey, forged)).not.toContain(forged);
});

test("a report that names the client's Message-ID finds the email, unless it went to several", async () => {
  const { ctx } = relay.project;
  const opened = await relay.session();
  const toOne = await opened.send(stuffed(invitation("one@client.example")), ["bob@example.com"]);
  await opened.send(stuffed(invitation("two@client.example")), ["a@example.com", "b@example.com"]);
  opened.end();
  await recordReport(ctx, "<one@client.example>", { kind: "complained", type: "abuse" });
  const [record] = await relay.recordsOf(toOne.lines.join());
  expect(record?.emails.status).toBe("COMPLAINED");
  await expect(
    recordReport(ctx, "two@client.example", { kind: "complained", type: "abuse" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  const stranger = await makeProject(database.db);
  await expect(
    recordReport(stranger.ctx, "one@client.example", { kind: "complained", type: "abuse" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
});
