import type { SMTPServerDataStream } from "smtp-server";
import { AppError } from "@/lib/ground/errors";
import { ByteBudget, type HeldBytes } from "@/lib/ground/byte-budget";
import { BytePace } from "@/lib/ground/byte-pace";

const megabyte = 1024 * 1024;
const largestSmall = megabyte / 4;
/** For messages being received or accepted, which takes about seven times their size. */
const budget = new ByteBudget({
  capacity: 96 * megabyte,
  smallCapacity: 32 * megabyte,
  largestSmall,
});
/** For the large ones that one lane may have worked on, as with bodies of requests. */
const pace = new BytePace({ perSecond: 16 * megabyte, burst: 48 * megabyte });
const patienceMilliseconds = 5_000;

/** What a message counts as while this many bytes of it are there: its room grows in a few steps. */
function roomFor(size: number): number {
  if (size <= largestSmall) return largestSmall;
  return size <= 2 * megabyte ? 2 * megabyte : Math.ceil(size / megabyte / 8) * 8 * megabyte;
}

const tooMuch = () => new AppError("UNAVAILABLE", "Too much mail at once, try again");

/** How a message is received. */
interface Receiving {
  /** Whose room it takes: a project, or the address it comes from. */
  lane: string;
  largestMegabytes: number;
}

/**
 * Reads a message to its end and hands it to `handle`; its memory counts until that is done, for its
 * lane and in total. Throws PAYLOAD_TOO_LARGE, UNAVAILABLE when too much is being received at once,
 * and when the client goes away.
 */
export async function withMessage<Result>(
  stream: SMTPServerDataStream,
  { lane, largestMegabytes }: Receiving,
  handle: (raw: Buffer) => Promise<Result>,
): Promise<Result> {
  let chunks: Buffer[] = [];
  let size = 0;
  let room = 0;
  let held: HeldBytes | null = null;
  let refusal: Error | null = null;
  const release = () => {
    held?.release();
    chunks = [];
  };
  const grow = (): boolean => {
    if (size <= room) return true;
    held?.release();
    room = roomFor(size);
    held = budget.tryTake(lane, room);
    return held !== null;
  };
  try {
    // A refused message is still read to its end, because the reply comes after it.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (refusal) continue;
      if (size > largestMegabytes * megabyte) {
        refusal = new AppError(
          "PAYLOAD_TOO_LARGE",
          `The message is larger than ${largestMegabytes} MB.`,
        );
      } else if (!grow()) {
        refusal = tooMuch();
      }
      if (refusal) release();
      else chunks.push(chunk);
    }
    if (size > largestSmall && !refusal && !(await pace.take(lane, size, patienceMilliseconds))) {
      refusal = tooMuch();
    }
    if (refusal) throw refusal;
    const raw = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks = [];
    return await handle(raw);
  } finally {
    release();
  }
}
