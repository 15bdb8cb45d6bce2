import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { cpuClock } from "@/lib/testing/cpu-time";
import { shortMail } from "@/lib/testing/mime-input";
import { buildMime } from "./mime";
import type { MimeInput } from "./mime-input";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { domain: "example.com", selector: "lm1", privateKey };
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;

const large = (bytes: number) => ({
  filename: "large.bin",
  contentType: "application/octet-stream",
  contentId: null,
  content: Buffer.from(Uint8Array.from({ length: bytes }, (_, n) => (n * 131 + (n >> 9)) % 251)),
});

const build = (changes: Partial<MimeInput> = {}) => buildMime({ ...shortMail, ...changes }, key);

async function verify(raw: Buffer) {
  const { results } = await dkimVerify(raw, {
    resolver: (name: string, type: string) => {
      expect([name, type]).toEqual(["lm1._domainkey.example.com", "TXT"]);
      return Promise.resolve([[record]]);
    },
  });
  return results.map(({ status, signingDomain }) => [status.result, signingDomain]);
}

function headerOf(raw: Buffer): string {
  return raw.subarray(0, raw.indexOf("\r\n\r\n")).toString("utf8");
}

describe("a signature", () => {
  it.each([
    ["plain", {}],
    ["tabs and runs of spaces", { html: "<p>a \t  b   \n\n\tc </p>  \n\n\n", text: "x  \n\n\n" }],
    ["ASCII on short lines", { html: null, text: "a  b \n\nc\t\td \n\n" }],
    ["no content", { html: null, text: null }],
    ["beyond ASCII", { subject: "Grüße 👋 ".repeat(20), text: "日本語\n".repeat(50) }],
    ["long lines", { text: "x".repeat(5000), html: `<p>${"y ".repeat(3000)}</p>` }],
    ["dots", { html: null, text: ".\n..\n.x\n" }],
    [
      "unsubscribe headers",
      {
        headers: {
          "List-Unsubscribe": "<https://example.com/u/1>",
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      },
    ],
    [
      "attachments",
      {
        attachments: [
          {
            filename: "ä.pdf",
            contentType: "application/pdf",
            contentId: null,
            content: Buffer.alloc(5000, 7),
          },
        ],
      },
    ],
    ["a large attachment", { attachments: [large(2_000_001)] }],
    [
      "two large attachments and no text",
      { html: null, text: null, attachments: [large(600_000), large(4_000_000)] },
    ],
    ["a large attachment alone", { html: null, text: null, attachments: [large(1_000_002)] }],
    ["megabytes of spaces and empty lines", { html: `<p> ${" \t \n".repeat(700_000)}</p>` }],
  ])("of %s checks out with another library", async (_, changes) => {
    expect(await verify(await build(changes))).toEqual([["pass", "example.com"]]);
  });

  it("covers both unsubscribe fields, and does not survive a second From, Subject or To", async () => {
    const raw = await build({
      headers: { "List-Unsubscribe": "<https://a.example>", "List-Unsubscribe-Post": "x=y" },
    });
    const names = /h=([^;]+);/.exec(headerOf(raw))?.[1]?.replace(/\s/g, "").split(":");
    expect(names).toEqual(expect.arrayContaining(["list-unsubscribe", "list-unsubscribe-post"]));
    expect(names?.filter((name) => name === "from")).toHaveLength(2);
    for (const field of ["From: evil@example.net", "Subject: evil", "To: other@example.org"]) {
      const changed = Buffer.concat([Buffer.from(`${field}\r\n`), raw]);
      expect((await verify(changed))[0]?.[0]).toBe("fail");
    }
  });
});

describe("a message", () => {
  it("is the same, byte for byte, when it is built again", async () => {
    const attachments = [
      { filename: "a.txt", contentType: "text/plain", contentId: null, content: Buffer.from("a") },
    ];
    expect((await build({ attachments })).equals(await build({ attachments }))).toBe(true);
  });

  it("has large files octet by octet, on lines of 76 characters", async () => {
    for (const bytes of [500_001, 57 * 8_192, 57 * 8_192 * 2, 57 * 8_192 * 2 + 1, 1_999_999]) {
      const file = large(bytes);
      const raw = await build({ attachments: [file] });
      const { attachments } = await PostalMime.parse(raw);
      expect(file.content.equals(Buffer.from(attachments[0]?.content as ArrayBuffer))).toBe(true);
      const lines = raw.toString("latin1").split("\r\n");
      const first = lines.findIndex((line) => line.length === 76 && !line.includes(" "));
      const encoded = lines.slice(first, lines.indexOf("", first));
      expect(Math.max(...encoded.map(({ length }) => length))).toBe(76);
    }
  });

  it("of 20 MB leaves the program's other work its turns while it is made", async () => {
    let [longest, running] = [0, true];
    let used = cpuClock();
    const turn = () => {
      longest = Math.max(longest, used());
      used = cpuClock();
      if (running) setImmediate(turn);
    };
    const file = large(15_000_000);
    await build({ attachments: [file] });
    used = cpuClock();
    const whole = cpuClock();
    setImmediate(turn);
    await build({ attachments: [file] });
    running = false;
    // In one piece, the longest turn would be nearly all of it.
    expect(longest / whole()).toBeLessThan(0.5);
  });

  it("reads its names, subject and addresses as they were given", async () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
    const words = text.map((given) => given.replace(/[\p{C}\s]+/gu, " ").trim()).filter(Boolean);
    await fc.assert(
      fc.asyncProperty(words, words, words, async (subject, fromName, body) => {
        const raw = await build({
          subject,
          from: { email: "a@example.com", name: fromName },
          text: body,
        });
        const parsed = await PostalMime.parse(raw);
        expect(parsed.subject).toBe(subject);
        expect(parsed.from).toMatchObject({ address: "a@example.com", name: fromName });
        expect(parsed.text?.trim()).toBe(body);
      }),
      { numRuns: 200 },
    );
  });

  it("names files beyond ASCII by RFC 2231 alone: no encoded word stands in quotes", async () => {
    for (const filename of ["Übersicht März.pdf", `日本語 ${"ä".repeat(200)} "1".pdf`, "a b.pdf"]) {
      const file = { contentType: "application/pdf", contentId: null, content: Buffer.from("x") };
      const raw = await build({ attachments: [{ filename, ...file }] });
      expect(raw.toString()).not.toMatch(/="=\?/);
      expect((await PostalMime.parse(raw)).attachments[0]?.filename).toBe(filename);
      const type =
        /Content-Type: application\/pdf;([^]*?)\r\n(?! )/.exec(raw.toString())?.[1] ?? "";
      expect(type.trim()).toMatch(/^name(="a b\.pdf"$|\*)/);
    }
  });

  it("has no header but its own, whatever stands in a name, subject, file name or header value", async () => {
    const evil = fc
      .array(
        fc.constantFrom(
          "\r\n",
          "\n",
          "\r",
          "\0",
          "Bcc: x@y.z",
          "\r\n\r\n",
          ",",
          ";",
          ":",
          '"',
          "<",
          ">",
          "é",
          "a@b.c",
          " ",
          "\t",
          "=?utf-8?Q?=0D=0ABcc:_x@y.z?=",
          "\u2028",
        ),
        { maxLength: 8 },
      )
      .map((pieces) => pieces.join(""));
    const expected = [
      "content-type",
      "date",
      "dkim-signature",
      "from",
      "message-id",
      "mime-version",
      "reply-to",
      "subject",
      "to",
      "x-own",
    ];
    await fc.assert(
      fc.asyncProperty(evil, evil, evil, async (one, two, three) => {
        const raw = await build({
          subject: `s${one}`,
          from: { email: "a@example.com", name: two },
          to: { email: "b@example.org", name: three },
          replyTo: { email: "c@example.com", name: one },
          headers: { "X-Own": `v${two}` },
          attachments: [
            {
              filename: `f${three}`,
              contentType: one,
              contentId: `c${two}`,
              content: Buffer.from("x"),
            },
          ],
        });
        const head = headerOf(raw);
        const names = head
          .split(/\r\n(?![ \t])/)
          .map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
        expect(names.toSorted()).toEqual(expected);
        expect(head.replaceAll("\r\n", "")).not.toMatch(/[\r\n\0]/);
        const parsed = await PostalMime.parse(raw);
        expect(parsed.to?.map(({ address }) => address)).toEqual(["b@example.org"]);
        expect(parsed.from?.address).toBe("a@example.com");
        expect(parsed.bcc).toBeUndefined();
        expect(parsed.attachments).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  it("never has a bare CR or LF, nor a line longer than 998 bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom("a", "\r", "\n", " ", "é", "\t", "."), maxLength: 3000 }),
        fc.string({ unit: fc.constantFrom("b", " ", "ü"), maxLength: 900 }),
        async (content, subject) => {
          const raw = (await build({ html: content || null, text: content, subject })).toString(
            "latin1",
          );
          expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
          for (const line of raw.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
        },
      ),
      { numRuns: 100 },
    );
  });
});
