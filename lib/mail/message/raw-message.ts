/*
 * A whole message as octets, held as text with one character per octet (latin1), so that what is passed
 * on stays as it was written. Line ends are CRLF throughout.
 */

/** A header field as written, folded lines included, without the line end after it. */
export interface Field {
  /** In lower case. */
  name: string;
  text: string;
}

export interface RawMessage {
  fields: Field[];
  body: string;
}

/** A part that contains no others: its header block and its content, as positions in the text. */
export interface Leaf {
  fields: Field[];
  /** `text/plain`, in lower case. */
  type: string;
  /** Content-Transfer-Encoding, in lower case. */
  encoding: string;
  headStart: number;
  start: number;
  end: number;
}

/** RFC 5322, section 2.1.1. */
export const longestLine = 998;
const deepestNesting = 10;
const mostParts = 1_000;

/** Every line end as CRLF: a bare CR or LF means different things to different servers. */
export function withCrlf(text: string): string {
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? text.replace(/\r\n|\r|\n/g, "\r\n") : text;
}

/** The fields of a header block. Lines that belong to no field are left out. */
export function parseFields(block: string): Field[] {
  const fields: Field[] = [];
  for (const text of block.split(/\r\n(?![ \t])/)) {
    const name = /^([!-9;-~]+)[ \t]*:/.exec(text)?.[1];
    if (name) fields.push({ name: name.toLowerCase(), text });
  }
  return fields;
}

export function has(fields: readonly Field[], name: string): boolean {
  return fields.some((field) => field.name === name);
}

/** What follows the colon, on one line. */
export function valueOf(field: Field): string {
  return field.text
    .slice(field.text.indexOf(":") + 1)
    .replace(/\r\n/g, "")
    .trim();
}

/** Splits a message, or a part of one, at its first empty line. Looks no further than `end`. */
function splitAt(text: string, from: number, end: number): { headEnd: number; start: number } {
  if (text.startsWith("\r\n", from)) return { headEnd: from, start: from + 2 };
  const at = text.slice(from, end).indexOf("\r\n\r\n");
  return at < 0 ? { headEnd: end, start: end } : { headEnd: from + at, start: from + at + 4 };
}

export function parseMessageText(text: string): RawMessage {
  const { headEnd, start } = splitAt(text, 0, text.length);
  return { fields: parseFields(text.slice(0, headEnd)), body: text.slice(start) };
}

/** A field's main value and one of its parameters, as in `text/plain; charset=utf-8`. */
function mainValue(fields: readonly Field[], name: string): string {
  const field = fields.find((one) => one.name === name);
  return (field ? valueOf(field) : "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function boundaryOf(fields: readonly Field[]): string | null {
  const field = fields.find(({ name }) => name === "content-type");
  const match = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(
    field ? valueOf(field) : "",
  );
  return match?.[1] ?? match?.[2] ?? null;
}

const sealedTypes = /^(multipart\/(signed|encrypted)|application\/(x-)?pkcs7-mime)$/;

/** Whether the content is signed or encrypted by its author: a changed octet would break it. */
export function isSealed(fields: readonly Field[]): boolean {
  return sealedTypes.test(mainValue(fields, "content-type"));
}

/**
 * The leaves of a message in their order. Signed and encrypted parts are leaves, and so is anything
 * nested more than ten deep. Null when there are more than a thousand.
 */
export function leavesOf(message: RawMessage): Leaf[] | null {
  const { body: text } = message;
  const leaves: Leaf[] = [];
  let parts = 0;
  const walk = (fields: Field[], headStart: number, start: number, end: number, depth: number) => {
    if (++parts > mostParts) return;
    const type = mainValue(fields, "content-type") || "text/plain";
    const boundary = /^multipart\//.test(type) ? boundaryOf(fields) : null;
    const nested = depth < deepestNesting && !sealedTypes.test(type);
    if (nested && type === "message/rfc822") {
      const inner = splitAt(text, start, end);
      walk(parseFields(text.slice(start, inner.headEnd)), start, inner.start, end, depth + 1);
      return;
    }
    if (!nested || boundary === null) {
      const encoding = mainValue(fields, "content-transfer-encoding") || "7bit";
      leaves.push({ fields, type, encoding, headStart, start, end });
      return;
    }
    for (const [from, to] of betweenDelimiters(text, `--${boundary}`, start, end)) {
      const { headEnd, start: content } = splitAt(text, from, to);
      walk(parseFields(text.slice(from, headEnd)), from, Math.min(content, to), to, depth + 1);
      if (parts > mostParts) return;
    }
  };
  walk(message.fields, 0, 0, text.length, 0);
  return parts > mostParts ? null : leaves;
}

/** Where the parts between a multipart's delimiter lines begin and end (RFC 2046, section 5.1.1). */
function* betweenDelimiters(
  whole: string,
  delimiter: string,
  start: number,
  end: number,
): Generator<[from: number, to: number]> {
  // Every search stays within these bounds: searching to the message's end for each part would add up.
  const text = whole.slice(start, end);
  let from = -1;
  let at = text.startsWith(delimiter) ? 0 : text.indexOf(`\r\n${delimiter}`);
  while (at >= 0) {
    const after = (text[at] === "\r" ? at + 2 : at) + delimiter.length;
    const closing = text.startsWith("--", after);
    const lineBreak = text.indexOf("\r\n", after);
    const lineEnd = lineBreak < 0 ? text.length : lineBreak;
    if (/^[ \t]*$/.test(text.slice(closing ? after + 2 : after, lineEnd))) {
      if (from >= 0) yield [start + from, start + Math.max(from, at)];
      if (closing) return;
      from = Math.min(lineEnd + 2, text.length);
    }
    // The line end before a delimiter is part of it, and may also end the previous delimiter line.
    at = text.indexOf(`\r\n${delimiter}`, lineEnd);
  }
  if (from >= 0) yield [start + from, end];
}

/** Whether a line between the two positions is longer than mail may have. */
export function hasLongLine(text: string, start = 0, end = text.length): boolean {
  for (let at = start; at < end;) {
    const next = text.indexOf("\r\n", at);
    const lineEnd = next < 0 || next > end ? end : next;
    if (lineEnd - at > longestLine) return true;
    at = lineEnd + 2;
  }
  return false;
}

/** How many octets a leaf's content has once it is decoded. */
export function decodedSize(text: string, { encoding, start, end }: Leaf): number {
  if (encoding !== "base64") return end - start;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && code !== 0x3d) digits++;
  }
  return Math.floor((digits * 3) / 4);
}

function decode(content: string, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(content, "base64");
  if (encoding !== "quoted-printable") return Buffer.from(content, "latin1");
  const decoded = content
    .replace(/=\r\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, "latin1");
}

/** A leaf's content as text: decoded, and read as UTF-8 if it is that, otherwise as latin1. */
export function decodedLeaf(text: string, { encoding, start, end }: Leaf): string {
  const octets = decode(text.slice(start, end), encoding);
  const utf8 = octets.toString("utf8");
  return utf8.includes("\ufffd") ? octets.toString("latin1") : utf8;
}

/** Writes leaves with a line that is too long as Base64; everything else stays as it is. */
export function withShortLines(message: RawMessage, leaves: readonly Leaf[]): RawMessage {
  const { body: text } = message;
  const out: string[] = [];
  let { fields } = message;
  let done = 0;
  for (const leaf of leaves) {
    const { start, end, headStart } = leaf;
    if (sealedTypes.test(leaf.type) || !hasLongLine(text, start, end)) continue;
    const isWhole = leaf.fields === message.fields;
    const reencoded = [
      ...(isWhole && !has(fields, "mime-version")
        ? [{ name: "mime-version", text: "MIME-Version: 1.0" }]
        : []),
      ...leaf.fields.filter(({ name }) => name !== "content-transfer-encoding"),
      { name: "content-transfer-encoding", text: "Content-Transfer-Encoding: base64" },
    ];
    // In a message of one part, the header block is the message's own.
    if (isWhole) fields = reencoded;
    else
      out.push(
        text.slice(done, headStart),
        reencoded.map((one) => one.text).join("\r\n"),
        "\r\n\r\n",
      );
    out.push(
      decode(text.slice(start, end), leaf.encoding)
        .toString("base64")
        .replace(/.{76}(?=.)/g, "$&\r\n"),
    );
    if (isWhole) out.push("\r\n");
    done = end;
  }
  if (done === 0) return message;
  out.push(text.slice(done));
  return { fields, body: out.join("") };
}
