import type { SMTPServerDataStream } from "smtp-server";
import { AppError } from "@/lib/ground/errors";
import { ReplyError } from "./relay-replies";

export const largestMessageBytes = 40 * 1024 * 1024;

/** For all messages being received: more than this has to wait, or a few dozen large ones fill memory. */
const largestHeldBytes = 8 * largestMessageBytes;
let heldBytes = 0;

/**
 * Reads a message to its end and hands it to `handle`; its memory counts until that is done. Throws
 * PAYLOAD_TOO_LARGE, a reply when too much is being received at once, and when the client goes away.
 */
export async function withMessage<Result>(
  stream: SMTPServerDataStream,
  handle: (raw: Buffer) => Promise<Result>,
): Promise<Result> {
  let chunks: Buffer[] = [];
  let size = 0;
  let held = 0;
  let refusal: Error | null = null;
  const release = () => {
    heldBytes -= held;
    held = 0;
    chunks = [];
  };
  try {
    // A refused message is still read to its end, because the reply comes after it.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (refusal) continue;
      if (size > largestMessageBytes) {
        refusal = new AppError("PAYLOAD_TOO_LARGE", "The message is larger than 40 MB.");
      } else if (heldBytes + chunk.length > largestHeldBytes) {
        refusal = new ReplyError({ code: 452, text: "4.3.1 Too much mail at once, try again" });
      }
      if (refusal) {
        release();
        continue;
      }
      held += chunk.length;
      heldBytes += chunk.length;
      chunks.push(chunk);
    }
    if (refusal) throw refusal;
    const raw = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks = [];
    return await handle(raw);
  } finally {
    release();
  }
}
