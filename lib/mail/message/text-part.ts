import type { MimeInput } from "./mime-input";
import { encodeQuotedPrintable } from "./quoted-printable";

export type TextEncoding = "quoted-printable" | "base64";

interface TextPart {
  type: string;
  text: string;
}

/** Parts that say the same in different ways, the preferred one last (RFC 2046, section 5.1.4). */
export function textPartsOf({ text, html }: Pick<MimeInput, "text" | "html">): TextPart[] {
  return [
    ...(text ? [{ type: "text/plain; charset=utf-8", text }] : []),
    ...(html ? [{ type: "text/html; charset=utf-8", text: html }] : []),
  ];
}

/** The shorter one: quoted-printable takes three characters per byte beyond ASCII. */
export function textEncodingOf(text: string): TextEncoding {
  return isMostlyAscii(text) ? "quoted-printable" : "base64";
}

function isMostlyAscii(text: string): boolean {
  if (!/[^\0-\x7f]/.test(text)) return true;
  const sample = text.slice(0, 20_000);
  return Buffer.byteLength(sample) - sample.length < sample.length / 8;
}

/** A text part with CRLF line endings, in lines of 76 characters at most. */
export function encodeText(text: string, encoding: TextEncoding): string {
  return encoding === "quoted-printable"
    ? encodeQuotedPrintable(text)
    : encodeBase64(Buffer.from(crlf(text)));
}

/** For parts that are no larger than `largePart`. */
export function encodeBase64(octets: Buffer): string {
  return octets.toString("base64").replace(/.{76}(?=.)/g, "$&\r\n");
}

export function crlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}
