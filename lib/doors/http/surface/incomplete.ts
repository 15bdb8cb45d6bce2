import { Readable } from "node:stream";
import { AppError, isAppError } from "@/lib/ground/errors";

/** VALIDATION_ERROR for a body that ended before its end: a fault of the message, not of one of its fields. */
export class IncompleteBody extends AppError {
  readonly isIncompleteBody = true;

  constructor() {
    super(
      "VALIDATION_ERROR",
      "The request body is incomplete: it ended, or the connection closed, before all of it had arrived.",
    );
  }
}

export function isIncompleteBody(error: AppError): error is IncompleteBody {
  return "isIncompleteBody" in error;
}

/** What went wrong while a multipart form was read, as an error for the caller. */
export function formFault(error: unknown): AppError {
  if (isAppError(error)) return error;
  const { message, code } = error as { message?: string; code?: string };
  // The connection's own errors have a code, the parser's have none.
  if (code !== undefined || /unexpected end/i.test(message ?? "")) return new IncompleteBody();
  return new AppError("VALIDATION_ERROR", "The request body is not a valid multipart form.");
}

/**
 * A body on its way, to be read once: when it breaks off, its reader gets IncompleteBody. Without a listener
 * the error of a stream that nobody reads yet would end the process.
 */
export function brokenOffAsFault(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (body instanceof Readable) body.on("error", () => {});
  return readWhole(body);
}

async function* readWhole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw isAppError(error) ? error : new IncompleteBody();
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
