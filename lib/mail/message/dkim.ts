import { createHash, sign, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { nextTurn, slicesOf, type Body } from "./body";

// With a callback the signature is computed on libuv's threads: RSA makes up most of a mail's cost.
const signOnThread = promisify(sign) as (
  algorithm: string,
  data: Buffer,
  key: KeyObject,
) => Promise<Buffer>;

export interface DkimKey {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

/** Signed when present. RFC 8058 requires both List-Unsubscribe fields. */
const signedFields = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "reply-to",
  "in-reply-to",
  "references",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "list-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
];
/** Named once more than they occur, so that nobody can add one (RFC 6376, section 5.4.2). */
const oversigned = new Set([
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "reply-to",
  "mime-version",
  "content-type",
  "list-unsubscribe",
  "list-unsubscribe-post",
]);

/** The relaxed canonical form of a header field (RFC 6376, section 3.4.2). */
function relaxField(field: string): string {
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    // Not trim(): of octets beyond ASCII, it would take A0 for a blank, with which letters end in UTF-8.
    .replace(/^ | $/g, "");
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}

/** Relaxes whole lines with CRLF line endings, except for the empty ones at the end of a body. */
function relaxLines(lines: string): string {
  return /[ \t]{2}|\t|[ ]\r\n/.test(lines)
    ? lines
        .replace(/[ \t]+/g, " ")
        .replace(/ \r\n/g, "\r\n")
        .replace(/ $/, "")
    : lines;
}

/** SHA-256 of a body's relaxed canonical form (RFC 6376, section 3.4.4), in Base64. */
async function hashOfBody(body: Body): Promise<string> {
  const hash = createHash("sha256");
  let isEmpty = true;
  /** Empty lines, and the end of the line before them: at the end of the body they do not count. */
  let held = "";
  let first = true;
  for (const slice of slicesOf(body)) {
    if (!first) await nextTurn();
    first = false;
    const canonical = typeof slice === "string" ? relaxLines(slice) : slice;
    let end = canonical.length;
    if (typeof canonical === "string") {
      while (end >= 2 && canonical.startsWith("\r\n", end - 2)) end -= 2;
    }
    const rest = typeof canonical === "string" ? canonical.slice(end) : "";
    if (end === 0) {
      held += rest;
      continue;
    }
    if (held !== "") hash.update(held, "latin1");
    if (typeof canonical === "string") hash.update(canonical.slice(0, end), "latin1");
    else hash.update(canonical);
    held = rest;
    isEmpty = false;
  }
  if (!isEmpty) hash.update("\r\n");
  return hash.digest("base64");
}

/**
 * The DKIM-Signature field, folded, without a line ending: rsa-sha256, relaxed/relaxed. `fields` are
 * whole header fields. The same input gives the same signature: `signedAt` is a stored time.
 */
export async function signDkim(
  fields: readonly string[],
  body: Body,
  key: DkimKey,
  signedAt: Date,
  /** How `fields` hold octets beyond ASCII. */
  encoding: "utf8" | "latin1" = "utf8",
): Promise<string> {
  const byName = new Map<string, string[]>();
  for (const field of fields) {
    const name = field.slice(0, field.indexOf(":")).trim().toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), field]);
  }
  const names: string[] = [];
  const signed: string[] = [];
  for (const name of signedFields) {
    // Repeated fields are signed from the bottom up (section 5.4.2).
    const present = (byName.get(name) ?? []).toReversed();
    names.push(...present.map(() => name));
    signed.push(...present.map(relaxField));
    if (oversigned.has(name)) names.push(name);
  }
  const bodyHash = await hashOfBody(body);
  const unsigned = [
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;",
    ` d=${key.domain}; s=${key.selector}; t=${Math.floor(signedAt.getTime() / 1000)};`,
    ` h=${foldNames(names)};`,
    ` bh=${bodyHash};`,
    " b=",
  ].join("\r\n");
  const data = `${signed.join("\r\n")}\r\n${relaxField(unsigned)}`;
  const signature = await signOnThread("sha256", Buffer.from(data, encoding), key.privateKey);
  return unsigned + signature.toString("base64").replace(/.{70}(?=.)/g, "$&\r\n ");
}

function foldNames(names: readonly string[]): string {
  return names.reduce((text, name) => {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    return line.length + name.length > 70 ? `${text}:\r\n  ${name}` : `${text}:${name}`;
  });
}
