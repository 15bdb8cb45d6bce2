interface Waiting {
  bytes: number;
  go: () => void;
}

/** One class of size: small things have a pool of their own, which large ones cannot fill. */
interface Pool {
  capacity: number;
  /** In all, and by lane. */
  held: number;
  lanes: Map<string, number>;
  /** By lane, in the order of their turns. */
  waiting: Map<string, Waiting[]>;
}

interface ByteBudgetOptions {
  /** For large things. */
  capacity: number;
  /** For all small things, in addition. */
  smallCapacity: number;
  /** Something of up to this many bytes is small. */
  largestSmall: number;
}

/** The part of a budget that is held until it is given back. */
export interface HeldBytes {
  /** Gives back all but this many bytes. */
  shrinkTo(bytes: number): void;
  /** Gives back what is left; calling it again does nothing. */
  release(): void;
}

/**
 * Bounds what a process holds in memory at once, for all of its lanes (projects) together and for each,
 * which gets half at most. Anything larger than that passes when nothing else in its pool is held. Lanes
 * that wait take turns.
 */
export class ByteBudget {
  readonly #largestSmall: number;
  readonly #small: Pool;
  readonly #large: Pool;

  constructor({ capacity, smallCapacity, largestSmall }: ByteBudgetOptions) {
    const pool = (size: number): Pool => {
      return { capacity: size, held: 0, lanes: new Map(), waiting: new Map() };
    };
    this.#largestSmall = largestSmall;
    this.#small = pool(smallCapacity);
    this.#large = pool(capacity);
  }

  /** At once, or not at all (null). */
  tryTake(lane: string, bytes: number): HeldBytes | null {
    const pool = this.#poolOf(bytes);
    if (pool.waiting.size > 0 || !fits(pool, lane, bytes)) return null;
    return held(pool, lane, bytes);
  }

  /** Waits for its turn; null when the signal aborts before. */
  async take(lane: string, bytes: number, signal?: AbortSignal): Promise<HeldBytes | null> {
    const now = this.tryTake(lane, bytes);
    if (now) return now;
    const pool = this.#poolOf(bytes);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        bytes,
        go: () => {
          signal?.removeEventListener("abort", giveUp);
          resolve(held(pool, lane, bytes));
        },
      };
      const giveUp = () => {
        leave(pool, lane, waiting);
        resolve(null);
        admit(pool);
      };
      const others = pool.waiting.get(lane);
      if (others) others.push(waiting);
      else pool.waiting.set(lane, [waiting]);
      signal?.addEventListener("abort", giveUp, { once: true });
      if (signal?.aborted) giveUp();
      else admit(pool);
    });
  }

  #poolOf(bytes: number): Pool {
    return bytes <= this.#largestSmall ? this.#small : this.#large;
  }
}

function fits(pool: Pool, lane: string, bytes: number): boolean {
  if (pool.held === 0) return true;
  if (pool.held + bytes > pool.capacity) return false;
  return hasRoom(pool, lane, bytes);
}

function hasRoom({ lanes, capacity }: Pool, lane: string, bytes: number): boolean {
  const ofLane = lanes.get(lane) ?? 0;
  return ofLane === 0 || ofLane + bytes <= capacity / 2;
}

function held(pool: Pool, lane: string, bytes: number): HeldBytes {
  let left = 0;
  const change = (to: number) => {
    const step = to - left;
    left = to;
    pool.held += step;
    const ofLane = (pool.lanes.get(lane) ?? 0) + step;
    if (ofLane === 0) pool.lanes.delete(lane);
    else pool.lanes.set(lane, ofLane);
    if (step < 0) admit(pool);
  };
  change(bytes);
  return {
    shrinkTo: (to) => change(Math.min(left, to)),
    release: () => change(0),
  };
}

/** Lets in what fits, one lane after the other; whatever is too large for now keeps those behind it waiting. */
function admit(pool: Pool): void {
  for (let admitted = true; admitted;) {
    admitted = false;
    for (const [lane, [first]] of pool.waiting) {
      if (!first) continue;
      // A lane that holds its half waits only for itself.
      if (pool.held > 0 && !hasRoom(pool, lane, first.bytes)) continue;
      if (!fits(pool, lane, first.bytes)) return;
      leave(pool, lane, first);
      first.go();
      admitted = true;
      break;
    }
  }
}

/** Takes it out of the queue; its lane goes behind the others. */
function leave(pool: Pool, lane: string, waiting: Waiting): void {
  const left = (pool.waiting.get(lane) ?? []).filter((other) => other !== waiting);
  pool.waiting.delete(lane);
  if (left.length > 0) pool.waiting.set(lane, left);
}
