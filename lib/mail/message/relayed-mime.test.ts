import { generateKeyPairSync, verify } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import { describe, expect, it } from "vitest";
import {
  decodedSize,
  hasLongLine,
  leavesOf,
  parseMessageText,
  withShortLines,
} from "./raw-message";
import { buildRelayedMime } from "./relayed-mime";
import { cpuClock } from "@/lib/testing/cpu-time";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { domain: "example.com", selector: "lm1", privateKey };
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;
const email = {
  id: "01890000-0000-7000-8000-000000000000",
  recipient: "bob@example.net",
  createdAt: new Date("2026-11-21T10:20:30Z"),
  handedOverBy: "shop.example.com ([192.0.2.1])",
};

const octets = (...lines: string[]) => Buffer.from(lines.join("\r\n"), "latin1");

async function verdict(raw: Buffer) {
  const { results } = await dkimVerify(raw, { resolver: () => Promise.resolve([[record]]) });
  return results[0]?.status.result;
}

/**
 * Whether the signature of the header holds by RFC 6376, section 3.4.2: blanks and tabs alone are white space, where
 * mailauth takes U+00A0 for it as well, an octet that letters end with in UTF-8.
 */
function headerVerifies(raw: Buffer): boolean {
  const text = raw.toString("latin1");
  const fields = text.slice(0, text.indexOf("\r\n\r\n")).split(/\r\n(?![ \t])/);
  const unfolded = fields.map((field) => field.replaceAll("\r\n", ""));
  const relaxed = (field: string) => {
    const [name = "", ...value] = field.replace(/[ \t]+/g, " ").split(":");
    return `${name.toLowerCase().replace(/ $/, "")}:${value.join(":").replace(/^ | $/g, "")}`;
  };
  const [signature = "", ...rest] = unfolded;
  const names = (/ h=([^;]+)/.exec(signature)?.[1] ?? "").split(":").map((name) => name.trim());
  const left = rest.toReversed();
  const taken = names.flatMap((name) => {
    const at = left.findIndex((field) => field.toLowerCase().startsWith(`${name}:`));
    return at < 0 ? [] : left.splice(at, 1).map(relaxed);
  });
  const value = / b=(.*)$/.exec(signature)?.[1] ?? "";
  const data = [...taken, relaxed(signature.slice(0, signature.length - value.length))];
  return verify(
    "sha256",
    Buffer.from(data.join("\r\n"), "latin1"),
    publicKey,
    Buffer.from(value.replaceAll(" ", ""), "base64"),
  );
}

const signed = octets(
  "From: Ada <ada@example.com>",
  "To: Bob <bob@example.net>,\r\n  Carol <carol@example.net>",
  "Cc: dave@example.net",
  "Date: Sat, 21 Nov 2026 11:20:30 +0100",
  "Message-ID: <one@client.example>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/signed; protocol="application/pgp-signature";',
  ' micalg=pgp-sha256; boundary="=_sig"',
  "",
  "This is an OpenPGP/MIME signed message.  ",
  "--=_sig",
  "Content-Type: text/plain; charset=iso-8859-1",
  "Content-Transfer-Encoding: 8bit",
  "",
  "Gr\xfc\xdfe,  two blanks \t",
  ".a dot",
  "",
  "--=_sig",
  'Content-Type: application/pgp-signature; name="signature.asc"',
  "",
  "-----BEGIN PGP SIGNATURE-----",
  "=abcd",
  "-----END PGP SIGNATURE-----",
  "",
  "--=_sig--",
  "",
);

describe("a relayed message", () => {
  it.each(["Voilà", "Кто? Р", "à la carte", "Déjà vu"])(
    "whose subject is %j in plain UTF-8 has a signature that verifies",
    async (subject) => {
      const client = Buffer.from(
        `From: ada@example.com\r\nTo: bob@example.net\r\nSubject: ${subject}\r\n\r\nHello\r\n`,
      );
      const raw = await buildRelayedMime(client, email, null, key);
      expect(headerVerifies(raw)).toBe(true);
    },
  );

  it("goes out byte for byte behind our trace and signature, which verifies", async () => {
    const raw = await buildRelayedMime(signed, email, null, key);
    expect(raw.subarray(-signed.length).equals(signed)).toBe(true);
    const ours = raw.subarray(0, raw.length - signed.length).toString("latin1");
    expect(ours.match(/^[\w-]+(?=:)/gm)).toEqual(["DKIM-Signature", "Received"]);
    expect(ours.endsWith("\r\n")).toBe(true);
    expect(await verdict(raw)).toBe("pass");
    const at = raw.indexOf("two blanks");
    raw[at] = 0x54;
    expect(await verdict(raw)).not.toBe("pass");
  });

  it("is the same again each time", async () => {
    const once = await buildRelayedMime(signed, email, null, key);
    expect((await buildRelayedMime(signed, email, null, key)).equals(once)).toBe(true);
  });

  it("gets a Message-ID of ours instead of its own where one is given", async () => {
    const raw = await buildRelayedMime(signed, email, "em_1@example.com", key);
    const text = raw.toString("latin1");
    expect(text.match(/^Message-ID: .*$/gim)).toEqual(["Message-ID: <em_1@example.com>"]);
    expect(await verdict(raw)).toBe("pass");
  });

  it("gets the Date, Message-ID and To that it lacks", async () => {
    const bare = octets("From: ada@example.com", "", "x", "");
    const raw = await buildRelayedMime(bare, email, "em_1@example.com", key);
    expect(raw.toString("latin1")).toContain(
      "\r\nDate: Sat, 21 Nov 2026 10:20:30 +0000\r\nMessage-ID: <em_1@example.com>\r\nTo: bob@example.net\r\nFrom: ada@example.com\r\n\r\nx\r\n",
    );
    expect(await verdict(raw)).toBe("pass");
  });

  it("is signed over headers and body beyond ASCII as they are", async () => {
    const eightBit = octets(
      "From: ada@example.com",
      "Subject: Gr\xc3\xbc\xc3\x9fe",
      "",
      "\xfc",
      "",
    );
    expect(await verdict(await buildRelayedMime(eightBit, email, null, key))).toBe("pass");
  });
});

describe("too long lines", () => {
  const long = "x".repeat(2_000);

  it("become Base64 in their part, and nothing else changes", () => {
    const text = [
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/html; charset=iso-8859-1",
      "",
      `<p>\xfc ${long}</p>`,
      "--b",
      "Content-Type: text/calendar; method=REQUEST",
      "",
      "BEGIN:VCALENDAR",
      "--b--",
      "",
    ].join("\r\n");
    const message = parseMessageText(text);
    const short = withShortLines(message, leavesOf(message) ?? []);
    expect(hasLongLine(short.body)).toBe(false);
    const [html, calendar] = leavesOf(short) ?? [];
    expect(html).toMatchObject({ type: "text/html", encoding: "base64" });
    const content = short.body.slice(html?.start, html?.end);
    expect(Buffer.from(content, "base64").toString("latin1")).toBe(`<p>\xfc ${long}</p>`);
    expect(short.body.slice(calendar?.headStart)).toBe(
      "Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\n--b--\r\n",
    );
  });

  it.each([
    ["7bit", long, long],
    ["quoted-printable", `=C3=BC=\r\n${long}`, `ü${long}`],
    ["base64", Buffer.from(long).toString("base64"), long],
  ])("of a message in one %s part, too", (encoding, written, meant) => {
    const message = parseMessageText(
      `Content-Transfer-Encoding: ${encoding}\r\n\r\n${written}\r\n`,
    );
    const short = withShortLines(message, leavesOf(message) ?? []);
    expect(short.fields.map(({ text }) => text)).toEqual([
      "MIME-Version: 1.0",
      "Content-Transfer-Encoding: base64",
    ]);
    expect(Buffer.from(short.body, "base64").toString("utf8").trimEnd()).toBe(meant);
    expect(hasLongLine(short.body)).toBe(false);
  });

  it("of signed parts are left alone, wherever they stand", () => {
    const message = parseMessageText(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/signed; boundary=c\r\n\r\n--c\r\n\r\n${long}\r\n--c--\r\n--b--\r\n`,
    );
    expect(withShortLines(message, leavesOf(message) ?? [])).toBe(message);
  });
});

describe("the parts of a message", () => {
  it("are found in forwarded messages, and where delimiters only look alike", () => {
    const message = parseMessageText(
      [
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--bb",
        "--b  ",
        "",
        "one",
        "--bc",
        "--b",
        "Content-Type: message/rfc822",
        "",
        "Subject: inner",
        "Content-Type: application/pdf",
        "Content-Transfer-Encoding: base64",
        "",
        "AAAA",
        "AAA=",
        "--b",
        "--b--",
        "--b",
        "",
        "behind the end",
      ].join("\r\n"),
    );
    const leaves = leavesOf(message) ?? [];
    expect(leaves.map((leaf) => [leaf.type, message.body.slice(leaf.start, leaf.end)])).toEqual([
      ["text/plain", "one\r\n--bc"],
      ["application/pdf", "AAAA\r\nAAA="],
      ["text/plain", ""],
    ]);
    expect(decodedSize(message.body, leaves[1]!)).toBe(5);
  });

  it("are counted to a thousand, and read in a second however they are nested", () => {
    const many = parseMessageText(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\n".repeat(2_000)}--b--`,
    );
    expect(leavesOf(many)).toBeNull();
    const nested = "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
    const deep = parseMessageText(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${nested.repeat(900)}${"a\r\n".repeat(3_000_000)}`,
    );
    const used = cpuClock();
    leavesOf(deep);
    expect(used()).toBeLessThan(5_000);
  });
});
