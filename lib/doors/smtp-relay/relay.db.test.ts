import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { domains, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
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

test("attachments come through, inline ones with their id, and share their content", async () => {
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
  const [record] = await relay.recordsOf(response);
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
    await relay.refused({
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
  expect(record?.messages.headers).toEqual({ "X-One": "a Bcc: y@evil.example" });
  opened.end();
});

test("lines that begin with a dot arrive as they were written", async () => {
  const opened = await relay.session();
  const answer = await opened.send(plainMessage("..one\r\n..\r\n...two"), ["a@example.com"]);
  const [record] = await relay.recordsOf(answer.lines.join());
  expect(record?.messages.text?.trimEnd()).toBe(".one\n.\n..two");
  opened.end();
});

test("a message without subject, text or HTML is accepted as it is", async () => {
  const opened = await relay.session();
  const answer = await opened.send("From: ada@sandbox.test\r\n\r\n", ["a@example.com"]);
  expect(answer.code).toBe(250);
  const [record] = await relay.recordsOf(answer.lines.join());
  expect(record?.messages).toMatchObject({ subject: "", html: null });
  expect(record?.messages.text?.trim()).toBe("");
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
  const [record] = await relay.recordsOf(first);
  expect(record?.messages.headers).toEqual({});
});

test("what a test key sends is marked for the captured mailbox", async () => {
  const { key } = await createApiKey(relay.project.ctx, { name: "Trial", mode: "test" });
  const [record] = await relay.recordsOf(await relay.send({ to: "a@example.com" }, key));
  expect(record?.messages.test).toBe(true);
});

test("a suppressed recipient gets a record and no mail", async () => {
  await database.db.insert(suppressions).values({
    projectId: relay.project.projectId,
    email: "gone@example.com",
    reason: "hard_bounce",
  });
  const [record] = await relay.recordsOf(await relay.send({ to: "gone@example.com" }));
  expect(record?.emails).toMatchObject({ status: "FAILED", dueAt: null });
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
