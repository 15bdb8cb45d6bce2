import type { SMTPServerDataStream } from "smtp-server";
import { AppError } from "@/lib/ground/errors";
import { ReplyError } from "./relay-replies";

export const largestMessageBytes = 40 * 1024 * 1024;

/** Of all messages on their way in: what is beyond has to wait, or a few dozen large ones fill the memory. */
const largestHeldBytes = 8 * largestMessageBytes;
let heldBytes = 0;

/**
 * Reads a message to its end and hands it to `work`; its memory counts until that is done. Throws
 * PAYLOAD_TOO_LARGE, a reply when too much is on its way at once, and when the client goes away.
 */
export async function withMessage<Result>(
  stream: SMTPServerDataStream,
  work: (raw: Buffer) => Promise<Result>,
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
    // What is refused is read to its end nevertheless: the reply's place is behind it.
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
    return await work(raw);
  } finally {
    release();
  }
}
