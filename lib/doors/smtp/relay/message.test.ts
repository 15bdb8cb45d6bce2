import fc from "fast-check";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { normalizeAddress } from "@/lib/mail/address";
import { isAppError } from "@/lib/ground/errors";
import { parseMessage } from "./message";

const parse = (...lines: string[]) => parseMessage(Buffer.from(lines.join("\r\n")));
const from = "From: a@sandbox.test";

/** The message as it goes on, in octets and as a reader's program parses it. */
async function passedOn(...lines: string[]) {
  const { message } = await parse(...lines);
  return { text: message.raw.toString("latin1"), parsed: await PostalMime.parse(message.raw) };
}

test("what a client made goes on as it was made, character for character", async () => {
  const lines = [
    "Received: from client.example; Sat, 21 Nov 2026 10:00:00 +0000",
    'From: "Ada" <a@sandbox.test>',
    "To: Bob <bob@example.com>,",
    "\tCarol <carol@example.com>",
    "Cc: dave@example.com",
    "Reply-To: help@x.example, Desk <desk@x.example>",
    "Date: Sat, 21 Nov 2026 10:00:00 +0000",
    "Message-ID: <a@b>",
    "List-Unsubscribe: <https://x.example/leave>",
    "X-Priority: 1",
    "x-priority: 2",
    'Content-Type: multipart/alternative; boundary="b"',
    "",
    "preamble",
    "--b",
    "",
    "Come  ",
    "--b",
    "Content-Type: text/calendar; method=REQUEST; charset=utf-8",
    "",
    "BEGIN:VCALENDAR",
    "--b--",
    "",
  ];
  expect((await passedOn(...lines)).text).toBe(lines.join("\r\n"));
});

test("a forwarded message stays one", async () => {
  const { parsed } = await passedOn(
    from,
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "See below",
    "--b",
    "Content-Type: message/rfc822",
    "",
    "From: x@example.com",
    "",
    "Inner",
    "--b--",
  );
  expect(parsed.text).toContain("See below");
  expect(parsed.text).toContain("Inner");
});

test("what is for nobody to see, and signatures that ours replace, are taken out", async () => {
  const { text } = await passedOn(
    from,
    ...["Bcc", "Resent-Bcc", "Return-Path", "DKIM-Signature", "ARC-Seal"].map(
      (name) => `${name}: x@example.com`,
    ),
    "Idempotency-Key: order-7",
    "",
    "x",
  );
  expect(text).toBe(`${from}\r\n\r\nx`);
});

test("a Sender stays at the domain of From, and goes at another", async () => {
  expect((await passedOn(from, "Sender: Bot <bot@sandbox.test>", "", "x")).text).toContain(
    "Sender",
  );
  expect((await passedOn(from, "Sender: ceo@bank.example", "", "x")).text).not.toContain("Sender");
});

test("of fields that stand once the first one counts", async () => {
  const { text } = await passedOn(
    from,
    "Subject: one",
    "subject: two",
    "To: a@b.cc",
    "TO: c@d.ee",
    "",
    "x",
  );
  expect(text).toBe(`${from}\r\nSubject: one\r\nTo: a@b.cc\r\n\r\nx`);
});

test.each([
  ["ada@bank.example <a@sandbox.test>", "ada@bank.example"],
  ["(ceo@bank.example) a@sandbox.test", ""],
  ["Ada (bank) <a@sandbox.test>", "Ada"],
])("From: %s is written anew, so that no reader sees another address", async (value, name) => {
  const { message } = await parse(`From: ${value}`, "", "x");
  const parsed = await PostalMime.parse(message.raw);
  expect(parsed.from).toMatchObject({ address: "a@sandbox.test" });
  expect(message.from.email).toBe("a@sandbox.test");
  expect(parsed.from?.name).toContain(name);
  const written = /^From: (.*)$/m.exec(message.raw.toString("latin1"))?.[1] ?? "";
  expect(written.trim()).toMatch(/^("[^"]*" |[^"@<>(),]*)<?a@sandbox\.test>?$/);
});

const sealed = [
  "To: bob@example.com",
  "MIME-Version: 1.0",
  'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary=s',
  "",
  "--s",
];

test("where nothing may be changed, what would have to be is refused", async () => {
  const long = "x".repeat(999);
  await expect(parse(from, ...sealed, "", long, "--s--")).rejects.toThrow("998 octets");
  await expect(parse("From: ada@x.y <a@sandbox.test>", ...sealed, "", "x")).rejects.toMatchObject({
    details: [{ path: "From" }],
  });
  const lines = [from, ...sealed, "Content-Type: text/plain", "", "x  ", "--s--", ""];
  expect((await passedOn(...lines)).text).toBe(lines.join("\r\n"));
});

test("a line that is too long for mail arrives as it was meant", async () => {
  const html = `<p>${"x".repeat(5_000)}</p>`;
  const { text, parsed } = await passedOn(from, "Content-Type: text/html", "", html);
  expect(parsed.html?.trimEnd()).toBe(html);
  expect(Math.max(...text.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
  await expect(parse(from, `X-Long: ${"x".repeat(1_000)}`, "", "x")).rejects.toThrow("998 octets");
});

test.each([
  ["<a@b>", "a@b"],
  ["<not spaced@b>", null],
  ["a@b", null],
  [`<${"x".repeat(300)}@b>`, null],
])("Message-ID %s can stand: %s", async (value, id) => {
  expect((await parse(from, `Message-ID: ${value}`, "", "x")).message.headerId).toBe(id);
});

test("a message that goes round in circles is refused", async () => {
  const hops = Array.from({ length: 101 }, () => "Received: by x");
  await expect(parse(from, ...hops, "", "x")).rejects.toThrow("100 times");
});

const nasty = fc.constantFrom(
  ...'\r|\n|\r\n|\r\n |\t|\0|\x01|\x1b|;|,|:|<|>|@|"|\\|(|)|=?utf-8?B?DQpCY2M6IHg=?=|=?utf-8?Q?=0D=0Aa?='.split(
    "|",
  ),
  "=?utf-8?Q?=00?=",
  "a@sandbox.test",
  "b@x.example",
  "Bcc: c@x.example",
  "name",
  "ü",
  "\ud83d\ude00",
);
const headerValue = fc.array(nasty, { maxLength: 12 }).map((parts) => parts.join(""));

test("whatever stands in headers, what goes on shows the checked sender and no Bcc, and a refusal is the client's", async () => {
  await fc.assert(
    fc.asyncProperty(
      headerValue,
      headerValue,
      headerValue,
      headerValue,
      async (sender, subject, replyTo, custom) => {
        try {
          const { message, names } = await parse(
            `From: ${sender}`,
            `Subject: ${subject}`,
            `Reply-To: ${replyTo}`,
            `X-Custom: ${custom}`,
            `To: ${custom}`,
            "Content-Type: application/pdf",
            `Content-Disposition: attachment; filename="${custom}"`,
            "",
            "x",
          );
          const inRecords = [
            message.from.email,
            message.from.name ?? "",
            message.subject,
            ...names.values(),
          ];
          for (const text of inRecords) expect(text).not.toMatch(/[\r\n\0]/);
          const raw = message.raw.toString("latin1");
          expect(raw).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
          const parsed = await PostalMime.parse(message.raw);
          expect(parsed.headers.filter(({ key }) => key === "bcc")).toEqual([]);
          expect(parsed.headers.filter(({ key }) => key === "from")).toHaveLength(1);
          // Beside a local part beyond ASCII the domain is written in its own letters (RFC 6532).
          const shown = normalizeAddress(parsed.from?.address ?? "");
          expect(shown?.toLowerCase()).toBe(message.from.email.toLowerCase());
        } catch (error) {
          if (!isAppError(error)) throw error;
          expect(error.code).toBe("VALIDATION_ERROR");
        }
      },
    ),
    { numRuns: 500 },
  );
});

test.each(["😀b@x.exampleü", "ü@xn--bcher-kva.example", "b@bücher.example"])(
  "the sender %s goes on as the one that was checked",
  async (sender) => {
    const { message } = await parse(`From: ${sender}`, "", "x");
    const shown = (await PostalMime.parse(message.raw)).from?.address ?? "";
    expect(normalizeAddress(shown)).toBe(normalizeAddress(sender));
    expect(message.from.email).toBe(normalizeAddress(sender));
  },
);

test("any octets are parsed or refused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (octets) => {
      const raw = Buffer.concat([Buffer.from(`${from}\r\n`), octets]);
      await parseMessage(raw).catch((error: unknown) => {
        if (!isAppError(error)) throw error;
      });
    }),
  );
});
