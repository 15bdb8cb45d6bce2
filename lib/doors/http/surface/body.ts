import { finished, Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { ArrivedBytes } from "@/lib/ground/arrived-bytes";
import { AppError, fieldPath, invalid } from "@/lib/ground/errors";
import { storableFault } from "@/lib/ground/storable";
import type { NodeBindings } from "./client-address";
import { IncompleteBody } from "./incomplete";
import { noRoom, roomForStranger, type BodyRoom } from "./intake";

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
 * The request's body, at most `limit` bytes (1 MB unless given), counted towards its room as it arrives. Throws
 * PAYLOAD_TOO_LARGE as soon as the limit is passed, UNAVAILABLE when there is no room for it or no longer.
 * Reads Node's own stream where there is one: wrapping it in a web stream costs a tenth of a send.
 */
export async function readBody(
  request: Request,
  bindings?: NodeBindings,
  limit = defaultBodyLimit,
  room: BodyRoom | null = null,
): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  if (bindings?.incoming) return receive(bindings.incoming, limit, room);
  if (!request.body) return Buffer.alloc(0);
  const stream = Readable.fromWeb(request.body as NodeStream);
  try {
    return await receive(stream, limit, room);
  } finally {
    stream.destroy();
  }
}

function receive(stream: Readable, limit: number, room: BodyRoom | null): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const arrived = new ArrivedBytes();
    /** The answer that is waited for, whether there is room for what has arrived. */
    let asked: Promise<boolean> | null = null;
    let isLast = false;
    const stop = () => {
      stream.off("data", add);
      ended();
      if (room) room.onLost = () => {};
    };
    // What is left stays unread: whoever serves the request drops it, or ends the connection.
    const refuse = (error: AppError) => {
      stop();
      stream.pause();
      arrived.drop();
      reject(error);
    };
    const end = () => {
      stop();
      room?.keep();
      resolve(arrived.whole());
    };
    const add = (chunk: Uint8Array) => {
      if (arrived.size + chunk.byteLength > limit) return refuse(tooLarge(limit));
      arrived.add(chunk);
      const hasRoom = room?.take(arrived.size, arrived.memory) ?? true;
      if (hasRoom === true) return;
      stream.pause();
      asked = Promise.resolve(hasRoom);
      void asked.then((later) => {
        asked = null;
        if (!later) refuse(noRoom());
        else if (isLast) end();
        else stream.resume();
      });
    };
    if (room) room.onLost = () => refuse(noRoom());
    const ended = finished(stream, { writable: false }, (error) => {
      // The client went away: not our fault, and nobody is left to tell.
      if (error) {
        stop();
        return reject(new IncompleteBody());
      }
      // The end of a stream comes although it is paused when its last piece was there already.
      isLast = true;
      if (!asked) end();
    });
    stream.on("data", add);
  });
}

/** The body of a request from somebody nobody vouches for: read within what strangers may send at once. */
export async function readStrangersBody(
  request: Request,
  bindings: NodeBindings | undefined,
  limit: number,
): Promise<Buffer> {
  const room = await roomForStranger(request, bindings, limit);
  try {
    return await readBody(request, bindings, limit, room);
  } finally {
    room?.release();
  }
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
