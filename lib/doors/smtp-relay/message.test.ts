import fc from "fast-check";
import { expect, test } from "vitest";
import { relayedMessage } from "@/lib/domain/emails/schema";
import { isAppError } from "@/lib/ground/errors";
import { parseMessage } from "./message";

const parse = (...lines: string[]) => parseMessage(Buffer.from(lines.join("\r\n")));
const from = "From: a@sandbox.test";

test("a forwarded message is an attachment, whatever its disposition", async () => {
  const { content } = await parse(
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
  expect(content.text?.trim()).toBe("See below");
  expect(content.attachments).toMatchObject([
    { filename: "attachment-1.eml", contentType: "message/rfc822" },
  ]);
});

test("only parts that the HTML shows are inline: an id alone does not make them so", async () => {
  const { content } = await parse(
    from,
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: application/pdf; name=a.pdf",
    "Content-ID: <a@b>",
    "Content-Disposition: attachment; filename=a.pdf",
    "",
    "x",
    "--b--",
  );
  expect(content.attachments[0]).not.toHaveProperty("contentId");
});

test("an invitation keeps its method", async () => {
  const { content } = await parse(
    from,
    'Content-Type: text/calendar; method=request; charset="utf-8"',
    "",
    "BEGIN:VCALENDAR",
  );
  expect(content.attachments[0]).toMatchObject({ contentType: "text/calendar; method=REQUEST" });
});

test("long References keep their first and last id", async () => {
  const ids = Array.from({ length: 60 }, (_, nth) => `<message-${nth}@example.com>`);
  const { content } = await parse(from, `References: ${ids.join("\r\n ")}`, "", "x");
  const kept = content.headers["References"]?.split(" ") ?? [];
  expect(kept.join(" ").length).toBeLessThanOrEqual(998);
  expect([kept[0], kept.at(-1)]).toEqual([ids[0], ids.at(-1)]);
});

test("headers that route, sign or frame are dropped, the sender's own kept once", async () => {
  const { content } = await parse(
    from,
    ...["To", "Cc", "Bcc", "Sender", "Resent-Bcc", "Received", "DKIM-Signature"].map(
      (name) => `${name}: x@example.com`,
    ),
    "Message-ID: <a@b>",
    "Date: Sat, 21 Nov 2026 10:00:00 +0000",
    "X-Priority: 1",
    "x-priority: 2",
    "Auto-Submitted: auto-generated",
    "",
    "x",
  );
  expect(content.headers).toEqual({ "X-Priority": "1", "Auto-Submitted": "auto-generated" });
});

test("two addresses in Reply-To are refused, none is dropped silently", async () => {
  await expect(parse(from, "Reply-To: a@x.example, b@x.example", "", "x")).rejects.toMatchObject({
    details: [{ path: "Reply-To" }],
  });
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

test("whatever stands in headers, a result has no line breaks in them, and a refusal is the client's", async () => {
  await fc.assert(
    fc.asyncProperty(
      headerValue,
      headerValue,
      headerValue,
      headerValue,
      async (sender, subject, replyTo, custom) => {
        try {
          const { content, names } = await parse(
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
          const inHeaders = [
            content.from.email,
            content.from.name ?? "",
            content.subject,
            content.replyTo ?? "",
            ...Object.entries(content.headers).flat(),
            ...content.attachments.flatMap((one) => [one.filename, one.contentId ?? ""]),
            ...names.values(),
          ];
          for (const text of inHeaders) expect(text).not.toMatch(/[\r\n\0]/);
          expect(relayedMessage.safeParse(content).error?.issues ?? []).toEqual([]);
        } catch (error) {
          if (!isAppError(error)) throw error;
          expect(error.code).toBe("VALIDATION_ERROR");
        }
      },
    ),
    { numRuns: 500 },
  );
});

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
