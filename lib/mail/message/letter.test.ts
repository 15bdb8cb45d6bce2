import fc from "fast-check";
import { expect, test } from "vitest";
import { shortMail } from "@/lib/testing/mime-input";
import { composeMessage } from "./composed-message";
import { writeLetter } from "./letter";
import type { MimeInput } from "./mime-input";

const words = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      " ",
      "\r\n",
      "\n",
      "\t",
      "\0",
      "\x7f",
      '"',
      ",",
      "<",
      ">",
      "@",
      "=?",
      "?=",
      ":",
    ),
    fc.constantFrom(
      "\u2000",
      "\u3000",
      "Ada",
      "naïve",
      "łódź",
      "日本",
      "👋",
      "_",
      "'",
      "\\",
      "x".repeat(80),
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }),
  ),
  maxLength: 40,
});
const address = fc.record({
  email: fc.constantFrom(
    "ada@example.org",
    "a.b+c_d-e@mail.example.org",
    "Ada@Example.ORG",
    "ada@exämple.org",
    "ädä@exämple.org",
    '"a b"@example.org',
    "a..b@example.org",
    "ada@[192.0.2.1]",
    "1@2",
    `${"x".repeat(64)}@${"y".repeat(60)}.example.org`,
  ),
  name: fc.oneof(fc.constantFrom("", "Ada", "Ada Lovelace", " Ada", "Ada  L "), words),
});
const part = fc.oneof(fc.constant(null), fc.constant(""), words);
const name = fc.oneof(
  fc.constantFrom(
    "List-Unsubscribe",
    "list-id",
    "X-MY-ID",
    "x-smtpapi",
    "X_odd.name",
    "Feedback-ID",
  ),
  fc.constantFrom("List-Unsubscribe-Post", "Precedence", "not a name", "x:y", "MIME-x", "ARC-Seal"),
);
const messages: fc.Arbitrary<MimeInput> = fc.record({
  messageId: fc.constantFrom(
    "em_1@example.com",
    "em_2@mail.example.com",
    `em_${"x".repeat(90)}@e.com`,
  ),
  date: fc.date({ min: new Date(0), max: new Date("9999-01-01"), noInvalidDate: true }),
  from: address,
  to: address,
  replyTo: fc.option(address),
  subject: words,
  html: part,
  text: part,
  headers: fc.dictionary(name, words, { maxKeys: 4 }),
  attachments: fc.constant([]),
});

test("is byte for byte what the composer makes of the same message", async () => {
  let letters = 0;
  await fc.assert(
    fc.asyncProperty(messages, async (input) => {
      const letter = writeLetter(input);
      if (!letter) return;
      letters++;
      expect(letter).toEqual(await composeMessage(input));
    }),
    { numRuns: 3_000 },
  );
  expect(letters).toBeGreaterThan(1_000);
});

test.each<[string, Partial<MimeInput>]>([
  ["neither text nor HTML", { text: null, html: "" }],
  [
    "an attachment",
    {
      attachments: [
        { filename: "a", contentType: "a/b", contentId: null, content: Buffer.alloc(1) },
      ],
    },
  ],
  ["a part too large for one turn of the loop", { text: "x".repeat(600_000) }],
  ["a field that the composer reads", { headers: { "in-reply-to": "<a@example.com>" } }],
  ["a field that tells of its content", { headers: { "Content-Language": "de" } }],
])("leaves a message with %s to the composer", (_, changes) => {
  expect(writeLetter(shortMail)).not.toBeNull();
  expect(writeLetter({ ...shortMail, ...changes })).toBeNull();
});
