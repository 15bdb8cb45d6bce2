import { AppError, fieldPath, invalid, isAppError } from "@/lib/ground/errors";
import { storableFault } from "@/lib/ground/storable";
import type { NodeBindings } from "./client-address";
import { IncompleteBody } from "./incomplete";

/** For what people sign in with. */
export const signInBodyLimit = 16 * 1024;
/** For requests without attachments. */
export const defaultBodyLimit = 1024 * 1024;
/** For a send with attachments, or a form with files. */
export const attachmentsBodyLimit = 40 * 1024 * 1024;
/** For one whose content holds HTML and text of 5 MB each. */
export const contentBodyLimit = 16 * 1024 * 1024;
const mostValues = 1_000_000;

/** PAYLOAD_TOO_LARGE for a body of more than `limit` bytes. */
export function tooLarge(limit: number): AppError {
  const [size, unit] = limit < 1024 * 1024 ? [limit / 1024, "kB"] : [limit / 1024 / 1024, "MB"];
  return new AppError(
    "PAYLOAD_TOO_LARGE",
    `The request is larger than ${size} ${unit} (${limit} bytes).`,
  );
}

/**
 * The request's body, at most `limit` bytes (1 MB unless given). Throws PAYLOAD_TOO_LARGE as soon as the limit is passed.
 * Reads Node's own stream where there is one: wrapping it in a web stream costs a tenth of a send.
 */
export async function readBody(
  request: Request,
  bindings?: NodeBindings,
  limit = defaultBodyLimit,
): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const stream = (bindings?.incoming ?? request.body) as AsyncIterable<Uint8Array> | null;
  if (!stream) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (isAppError(error)) throw error;
    // The client went away: not our fault, and nobody is left to tell.
    throw new IncompleteBody();
  }
  return chunks.length === 1 && chunks[0] ? Buffer.from(chunks[0]) : Buffer.concat(chunks);
}

/**
 * Parses a JSON body into a value that is safe to store and to merge. Throws VALIDATION_ERROR for malformed
 * JSON, more than 32 levels, NUL, lone surrogates and `__proto__` keys.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length > mostValues) checkValueCount(body);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new AppError("VALIDATION_ERROR", "The request body is not UTF-8.");
  }
  if (text.trim() === "") throw new AppError("VALIDATION_ERROR", "The request body is empty.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.replace(/, (\.{3})?".*$/s, "") : "";
    throw new AppError("VALIDATION_ERROR", `The request body is not valid JSON. ${reason}`.trim());
  }
  checkStorable(value);
  return value;
}

/**
 * Throws VALIDATION_ERROR for JSON of more than a million values. Counted in the bytes: parsing 40 MB of
 * `[0,0,...]` would cost a second and a gigabyte. Whatever is inside strings is skipped.
 */
function checkValueCount(body: Buffer): void {
  let values = 0;
  let at = 0;
  while (at < body.length) {
    const quote = body.indexOf(0x22, at);
    const end = quote === -1 ? body.length : quote;
    for (; at < end; at++) {
      const byte = body[at];
      if (byte === comma || byte === openBracket || byte === openBrace) values++;
    }
    if (values > mostValues) {
      throw new AppError("VALIDATION_ERROR", `The request holds more than ${mostValues} values.`);
    }
    at = quote === -1 ? end : endOfString(body, quote + 1);
  }
}

const [comma, openBracket, openBrace, backslash] = [0x2c, 0x5b, 0x7b, 0x5c];

/**
 * Where the text goes on after a string's closing quote: one after an even number of backslashes.
 */
function endOfString(body: Buffer, start: number): number {
  let quote = body.indexOf(0x22, start);
  while (quote !== -1) {
    let first = quote;
    while (first > start && body[first - 1] === backslash) first--;
    if ((quote - first) % 2 === 0) return quote + 1;
    quote = body.indexOf(0x22, quote + 1);
  }
  return body.length;
}

/** Throws VALIDATION_ERROR for a value Postgres cannot hold or that would reach a prototype. */
export function checkStorable(value: unknown): void {
  const fault = storableFault(value);
  if (fault) throw invalid(fieldPath(fault.path).slice(0, 100), fault.message);
}
