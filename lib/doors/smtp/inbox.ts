import type { SMTPServerDataStream } from "smtp-server";
import { ArrivedBytes } from "@/lib/ground/arrived-bytes";
import { ByteBudget, type HeldBytes } from "@/lib/ground/byte-budget";
import { BytePace } from "@/lib/ground/byte-pace";
import { AppError } from "@/lib/ground/errors";

const megabyte = 1024 * 1024;
const largestSmall = megabyte / 4;
/** What is kept of a message of which the beginning is enough. */
export const largestBeginning = largestSmall;
const patienceMilliseconds = 5_000;
/** A small message is there by then, whoever sends it; a large one at a pace worth waiting for. */
const [safeSmallMilliseconds, safeLargeMilliseconds] = [1_000, 5_000];

/** What a large message counts as while this many bytes of it are there: its room grows in a few steps. */
const largeRoom = (size: number) =>
  size <= 2 * megabyte ? 2 * megabyte : Math.ceil(size / megabyte / 8) * 8 * megabyte;

const tooMuch = () => new AppError("UNAVAILABLE", "Too much mail at once, try again");
const tooLarge = (megabytes: number) =>
  new AppError("PAYLOAD_TOO_LARGE", `The message is larger than ${megabytes} MB.`);

/** How a message is received. */
interface Receiving {
  /** Whose room it takes: a project, or the network it comes from. */
  lane: string;
  largestMegabytes: number;
}

/** A message on its way in: it takes room for what has arrived of it, and drops that once it is refused. */
class Arrival {
  readonly #budget: ByteBudget;
  readonly #lane: string;
  readonly arrived = new ArrivedBytes();
  refusal: Error | null = null;
  #held: HeldBytes | null = null;
  #room = 0;

  constructor(budget: ByteBudget, lane: string) {
    this.#budget = budget;
    this.#lane = lane;
  }

  add(chunk: Buffer): void {
    this.arrived.add(chunk);
    if (!this.#hasRoom()) this.refuse(tooMuch());
  }

  refuse(error: Error): void {
    this.refusal ??= error;
    this.release();
  }

  /** All of it is there: its room is its own until it is released. */
  end(): void {
    this.#held?.keep();
  }

  release(): void {
    this.#held?.release();
    this.#held = null;
    this.arrived.drop();
  }

  #hasRoom(): boolean {
    const { memory, size } = this.arrived;
    if (memory <= this.#room) return true;
    const isSmall = size <= largestSmall;
    const room = isSmall ? memory : largeRoom(memory);
    const step = room - this.#room;
    this.#room = room;
    if (isSmall && this.#held) return this.#held.tryGrow(step);
    this.#held?.release();
    this.#held = this.#budget.tryTake(this.#lane, room, {
      safeMilliseconds: isSmall ? safeSmallMilliseconds : safeLargeMilliseconds,
      giveWay: () => this.refuse(tooMuch()),
    });
    return this.#held !== null;
  }
}

/** Where one server's messages are received: they count towards its budget alone. */
export class Inbox {
  /** For messages being received or accepted, which takes about seven times their size. */
  readonly #budget: ByteBudget;
  /** For the large ones that one lane may have worked on, as with bodies of requests. */
  readonly #pace = new BytePace({ perSecond: 16 * megabyte, burst: 48 * megabyte });

  constructor(sizes: { largeMegabytes: number; smallMegabytes: number }) {
    this.#budget = new ByteBudget({
      capacity: sizes.largeMegabytes * megabyte,
      smallCapacity: sizes.smallMegabytes * megabyte,
      largestSmall,
    });
  }

  /**
   * Reads a message to its end and hands it to `handle`; its memory counts until that is done, for its
   * lane and in total. Throws PAYLOAD_TOO_LARGE, UNAVAILABLE when too much is being received at once,
   * and when the client goes away.
   */
  async withMessage<Result>(
    stream: SMTPServerDataStream,
    { lane, largestMegabytes }: Receiving,
    handle: (raw: Buffer) => Promise<Result>,
  ): Promise<Result> {
    const arrival = new Arrival(this.#budget, lane);
    let size = 0;
    try {
      // A refused message is still read to its end, because the reply comes after it.
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (arrival.refusal) continue;
        if (size > largestMegabytes * megabyte) arrival.refuse(tooLarge(largestMegabytes));
        else arrival.add(chunk);
      }
      arrival.end();
      if (size > largestSmall && !arrival.refusal) {
        if (!(await this.#pace.take(lane, size, patienceMilliseconds))) arrival.refuse(tooMuch());
      }
      if (arrival.refusal) throw arrival.refusal;
      return await handle(arrival.arrived.whole());
    } finally {
      arrival.release();
    }
  }

  /** The same with the beginning of a message; what comes after it is received but not kept. */
  async withBeginning<Result>(
    stream: SMTPServerDataStream,
    { lane, largestMegabytes }: Receiving,
    handle: (raw: Buffer) => Promise<Result>,
  ): Promise<Result> {
    const arrival = new Arrival(this.#budget, lane);
    let size = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        const missing = largestBeginning - size;
        size += chunk.length;
        if (missing > 0 && !arrival.refusal) arrival.add(chunk.subarray(0, missing));
      }
      arrival.end();
      if (size > largestMegabytes * megabyte) throw tooLarge(largestMegabytes);
      if (arrival.refusal) throw arrival.refusal;
      return await handle(arrival.arrived.whole());
    } finally {
      arrival.release();
    }
  }
}
