import { AppError, invalid, isAppError } from "@/lib/ground/errors";
import type { NodeBindings } from "./client-address";

export const largestRequestBytes = 40 * 1024 * 1024;
const deepestJson = 32;

/**
 * The request's body, at most `largest` bytes (40 MB). Throws PAYLOAD_TOO_LARGE as soon as the limit is passed.
 * Reads Node's own stream where there is one: wrapping it in a web stream costs a tenth of a send.
 */
export async function readBody(
  request: Request,
  bindings?: NodeBindings,
  largest = largestRequestBytes,
): Promise<Buffer> {
  const tooLarge = () =>
    new AppError(
      "PAYLOAD_TOO_LARGE",
      largest === largestRequestBytes
        ? "The request is larger than 40 MB (41943040 bytes)."
        : `The request is larger than ${largest} bytes.`,
    );
  if (Number(request.headers.get("content-length") ?? 0) > largest) throw tooLarge();
  const stream = (bindings?.incoming ?? request.body) as AsyncIterable<Uint8Array> | null;
  if (!stream) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > largest) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (isAppError(error)) throw error;
    // The client went away: not our fault, and nobody is left to tell.
    throw new AppError(
      "VALIDATION_ERROR",
      "The request body is incomplete: the connection closed early.",
    );
  }
  return chunks.length === 1 && chunks[0] ? Buffer.from(chunks[0]) : Buffer.concat(chunks);
}

/**
 * Parses a JSON body into a value that is safe to store and to merge. Throws VALIDATION_ERROR for malformed
 * JSON, more than 32 levels, NUL, lone surrogates and `__proto__` keys.
 */
export function parseJson(body: Buffer): unknown {
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

/** Throws VALIDATION_ERROR for a value Postgres cannot hold or that would reach a prototype. */
export function checkStorable(value: unknown, path = "", depth = 0): void {
  if (typeof value === "string") return checkText(value, path);
  if (typeof value !== "object" || value === null) return;
  if (depth >= deepestJson) {
    throw invalid(path.slice(0, 100), `is nested deeper than ${deepestJson} levels`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => checkStorable(item, `${path}[${index}]`, depth + 1));
    return;
  }
  for (const key of Object.keys(value)) {
    const place = path ? `${path}.${key}` : key;
    if (key === "__proto__") throw invalid(path, "must not have a key __proto__");
    checkText(key, path);
    checkStorable((value as Record<string, unknown>)[key], place, depth + 1);
  }
}

export function checkText(text: string, path: string): void {
  if (text.includes("\0")) throw invalid(path, "must not contain NUL (U+0000)");
  if (!text.isWellFormed()) throw invalid(path, "must not contain lone surrogates");
}
