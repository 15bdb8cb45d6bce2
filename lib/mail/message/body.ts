/*
 * A body of many megabytes is made, hashed and written a slice at a time, so that the program's other work
 * gets its turn in between.
 */

/** Text with CRLF line endings and one character per octet; bytes are lines of Base64. Cut between lines. */
export type Body = readonly (string | Buffer)[];

/** Characters, or bytes: one or two milliseconds of work. */
const sliceLength = 1_000_000;
/** Octets that a line of 76 characters stands for (RFC 2045, section 6.8). */
const octetsALine = 57;
const charactersALine = 76;
const linesASlice = 8_192;
/** A part beyond this is encoded in slices. */
export const largePart = 500_000;

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The body in pieces of about a megabyte, text cut after a line ending. */
export function* slicesOf(body: Body): Generator<string | Buffer> {
  for (const part of body) {
    for (let at = 0; at < part.length;) {
      const end = Math.min(part.length, at + sliceLength);
      if (typeof part !== "string") yield part.subarray(at, end);
      else if (end === part.length) yield part.slice(at);
      else {
        const lineEnd = part.indexOf("\r\n", end);
        const next = lineEnd < 0 ? part.length : lineEnd + 2;
        yield part.slice(at, next);
        at = next;
        continue;
      }
      at = end;
    }
  }
}

/** Base64 in lines of 76 characters, without a line ending after the last. */
export async function encodeBase64Lines(octets: Buffer): Promise<Buffer> {
  const characters = Math.ceil(octets.length / 3) * 4;
  const lines = Math.ceil(octets.length / octetsALine);
  const out = Buffer.allocUnsafe(characters + 2 * Math.max(0, lines - 1));
  let written = 0;
  for (let at = 0; at < octets.length; at += octetsALine * linesASlice) {
    if (at > 0) await nextTurn();
    const slice = Buffer.from(
      octets.toString("base64", at, at + octetsALine * linesASlice),
      "latin1",
    );
    for (let from = 0; from < slice.length; from += charactersALine) {
      if (written > 0) {
        out[written++] = 0x0d;
        out[written++] = 0x0a;
      }
      written += slice.copy(out, written, from, from + charactersALine);
    }
  }
  return out;
}

/** The header block and the body as they go over the wire. */
export async function joinMessage(head: Buffer, body: Body): Promise<Buffer> {
  const length = body.reduce((sum, part) => sum + part.length, head.length);
  const raw = Buffer.allocUnsafe(length);
  let at = head.copy(raw);
  let first = true;
  for (const slice of slicesOf(body)) {
    if (!first) await nextTurn();
    first = false;
    at += typeof slice === "string" ? raw.write(slice, at, "latin1") : slice.copy(raw, at);
  }
  return raw;
}
