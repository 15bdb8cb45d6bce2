import { ByteBudget, type HeldBytes, type Yielding } from "@/lib/ground/byte-budget";
import { BytePace } from "@/lib/ground/byte-pace";
import { AppError } from "@/lib/ground/errors";
import { networkOf } from "@/lib/ground/net/addresses/network";
import { clientAddress, type NodeBindings } from "./client-address";

const megabyte = 1024 * 1024;
/** How long a request waits for room before it is told to come back; its body is not read meanwhile. */
const patienceMilliseconds = 5_000;
/** How long what is arriving keeps its room from others: a small body is there by then, a large one may be. */
const [safeSmallMilliseconds, safeLargeMilliseconds] = [1_000, patienceMilliseconds];

interface Intake {
  /** For bodies from their first byte until they are answered. Working on one takes about seven times as much. */
  room: ByteBudget;
  /** For large ones: a project that sends 40 MB again and again would have the processor to itself. */
  pace: BytePace;
}

const largestSmall = megabyte / 4;
// Next bundles modules more than once: these are the process's.
const holder = globalThis as { lettermillIntakes?: { projects: Intake; strangers: Intake } };

function intakes() {
  return (holder.lettermillIntakes ??= {
    projects: intakeOf({ capacity: 96 * megabyte, smallCapacity: 32 * megabyte }),
    strangers: intakeOf({ capacity: 24 * megabyte, smallCapacity: 8 * megabyte }),
  });
}

function intakeOf(sizes: { capacity: number; smallCapacity: number }): Intake {
  return {
    room: new ByteBudget({ ...sizes, largestSmall }),
    pace: new BytePace({ perSecond: 16 * megabyte, burst: 48 * megabyte }),
  };
}

export const noRoom = () =>
  new AppError(
    "UNAVAILABLE",
    "Too much is being sent at once. This request had no effect: send it again in a few seconds.",
  );

/**
 * The room of one request's body until it is answered. A large body has all of it before it is read, a small
 * one as it arrives, and one that does not say how long it is counts as large as soon as it is no longer small.
 */
export class BodyRoom {
  readonly #intake: Intake;
  readonly #lane: string;
  readonly #limit: number;
  #held: HeldBytes | null = null;
  /** Bytes that it has, or waits for. */
  #room = 0;
  #size = 0;
  #owesPace = false;
  #isLost = false;
  #isOver = false;
  /** Called when the room has gone to somebody else while the body was arriving. */
  onLost: () => void = () => {};

  constructor(intake: Intake, lane: string, limit: number) {
    this.#intake = intake;
    this.#lane = lane;
    this.#limit = limit;
  }

  /** For a body that is declared to be large, before it is read. */
  async reserve(bytes: number): Promise<boolean> {
    const isInTime = await this.#intake.pace.take(this.#lane, bytes, patienceMilliseconds);
    return isInTime && this.#takeAll(bytes);
  }

  /** Room for what has arrived: its size, and the memory that takes. False, or after a while: there is none. */
  take(size: number, memory: number): boolean | Promise<boolean> {
    this.#size = size;
    if (this.#isLost) return false;
    if (memory <= this.#room) return true;
    if (size > largestSmall) return this.#becomeLarge();
    const step = memory - this.#room;
    this.#room = memory;
    if (this.#held) return this.#held.tryGrow(step) || this.#held.grow(step, patience());
    this.#held = this.#intake.room.tryTake(this.#lane, memory, this.#yields(safeSmallMilliseconds));
    return this.#held !== null || this.#takeLater(memory, safeSmallMilliseconds);
  }

  /** All of it has arrived: its room is its own until it is answered. */
  keep(): void {
    this.#held?.keep();
    this.#held?.shrinkTo(this.#size);
  }

  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#held?.release();
    if (this.#owesPace) this.#intake.pace.charge(this.#lane, this.#size);
  }

  /** As large as it may become. Its pace is charged once its size is known. */
  async #becomeLarge(): Promise<boolean> {
    this.#held?.release();
    this.#held = null;
    this.#owesPace = true;
    const isInTime = await this.#intake.pace.take(this.#lane, 0, patienceMilliseconds);
    return isInTime && this.#takeAll(this.#limit);
  }

  #takeAll(bytes: number): Promise<boolean> {
    // Where small pieces arrive, their memory is a little more than they are.
    this.#room = Infinity;
    return this.#takeLater(bytes, safeLargeMilliseconds);
  }

  async #takeLater(bytes: number, safeMilliseconds: number): Promise<boolean> {
    const { room } = this.#intake;
    const held = await room.take(this.#lane, bytes, patience(), this.#yields(safeMilliseconds));
    this.#held = held;
    // Its request may be over by now.
    if (this.#isOver) held?.release();
    return held !== null;
  }

  #yields(safeMilliseconds: number): Yielding {
    const giveWay = () => {
      this.#isLost = true;
      this.onLost();
    };
    return { safeMilliseconds, giveWay };
  }
}

const patience = () => AbortSignal.timeout(patienceMilliseconds);

async function roomIn(
  intake: Intake,
  lane: string,
  { headers }: Request,
  limit: number,
): Promise<BodyRoom | null> {
  const declared = headers.get("content-length");
  const bytes = Number(declared ?? 0);
  // A body that is larger than it may be is refused unread.
  if (bytes > limit || (bytes === 0 && !headers.has("transfer-encoding"))) return null;
  const room = new BodyRoom(intake, lane, limit);
  if (bytes > largestSmall && !(await room.reserve(bytes))) throw noRoom();
  return room;
}

/**
 * Room for the body of a request on behalf of a project, of `limit` bytes at most; null where there is none.
 * Throws UNAVAILABLE when others' bodies leave no room for a while, and when the project's own large ones
 * come faster than they are worked on.
 */
export function roomForBody(
  request: Request,
  projectId: string,
  limit: number,
): Promise<BodyRoom | null> {
  return roomIn(intakes().projects, projectId, request, limit);
}

/** The same for a caller whom nobody vouches for: strangers have room of their own, by network. */
export function roomForStranger(
  request: Request,
  bindings: NodeBindings | undefined,
  limit: number,
): Promise<BodyRoom | null> {
  const lane = networkOf(clientAddress(request, bindings));
  return roomIn(intakes().strangers, lane, request, limit);
}
