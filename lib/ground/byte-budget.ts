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
  /** What may have to give way, the oldest first. */
  yielding: Set<Holding>;
}

interface ByteBudgetOptions {
  /** For large things. */
  capacity: number;
  /** For all small things, in addition. */
  smallCapacity: number;
  /** Something of up to this many bytes is small. */
  largestSmall: number;
}

/** How something that is still arriving, and so has had no effect, makes room for other lanes. */
export interface Yielding {
  /** How long its room is safe, in milliseconds: what arrives at an ordinary pace is there by then. */
  safeMilliseconds: number;
  /** Called when its room has gone to another lane: it must drop what it holds. */
  giveWay: () => void;
}

/** The part of a budget that is held until it is given back. */
export interface HeldBytes {
  /** Holds that many bytes more, at once or not at all. */
  tryGrow(bytes: number): boolean;
  /** Waits for its turn to hold more; false when the signal aborts before. */
  grow(bytes: number, signal: AbortSignal): Promise<boolean>;
  /** It has arrived: from now on it gives way to nobody. */
  keep(): void;
  /** Gives back all but this many bytes. */
  shrinkTo(bytes: number): void;
  /** Gives back what is left; calling it again does nothing. */
  release(): void;
}

/**
 * Bounds what a process holds in memory at once, for all of its lanes (projects) together and for each,
 * which gets half at most. Anything larger than that passes when nothing else in its pool is held. Lanes
 * that wait take turns. When there is no room, lanes that hold more than the one that asks lose what is
 * still arriving, so that a few of them cannot keep out the others.
 */
export class ByteBudget {
  readonly #largestSmall: number;
  readonly #small: Pool;
  readonly #large: Pool;

  constructor({ capacity, smallCapacity, largestSmall }: ByteBudgetOptions) {
    const pool = (size: number): Pool => {
      const lanes = new Map<string, number>();
      return { capacity: size, held: 0, lanes, waiting: new Map(), yielding: new Set() };
    };
    this.#largestSmall = largestSmall;
    this.#small = pool(smallCapacity);
    this.#large = pool(capacity);
  }

  /** At once, or not at all (null). */
  tryTake(lane: string, bytes: number, yields?: Yielding): HeldBytes | null {
    const holding = new Holding(this.#poolOf(bytes), lane, yields);
    return holding.tryGrow(bytes) ? holding : null;
  }

  /** Waits for its turn; null when the signal aborts before. */
  async take(
    lane: string,
    bytes: number,
    signal?: AbortSignal,
    yields?: Yielding,
  ): Promise<HeldBytes | null> {
    const holding = new Holding(this.#poolOf(bytes), lane, yields);
    return (await holding.grow(bytes, signal)) ? holding : null;
  }

  #poolOf(bytes: number): Pool {
    return bytes <= this.#largestSmall ? this.#small : this.#large;
  }
}

class Holding implements HeldBytes {
  readonly #pool: Pool;
  readonly lane: string;
  #bytes = 0;
  /** Null once it gives way to nobody. */
  #yields: Yielding | null;
  /** When it got room: what it waited for before is no time in which anything could arrive. */
  #since = performance.now();
  #gaveWay = false;
  #stopWaiting: (() => void) | null = null;

  constructor(pool: Pool, lane: string, yields: Yielding | undefined) {
    this.#pool = pool;
    this.lane = lane;
    this.#yields = yields ?? null;
  }

  get bytes(): number {
    return this.#bytes;
  }

  tryGrow(bytes: number): boolean {
    const pool = this.#pool;
    if (this.#gaveWay || pool.waiting.size > 0 || !makeRoom(pool, this.lane, bytes)) return false;
    this.#change(this.#bytes + bytes);
    return true;
  }

  grow(bytes: number, signal?: AbortSignal): Promise<boolean> {
    if (this.tryGrow(bytes)) return Promise.resolve(true);
    if (this.#gaveWay) return Promise.resolve(false);
    const pool = this.#pool;
    return new Promise((resolve) => {
      const end = (grown: boolean) => {
        signal?.removeEventListener("abort", giveUp);
        this.#stopWaiting = null;
        resolve(grown);
      };
      const waiting: Waiting = {
        bytes,
        go: () => {
          this.#change(this.#bytes + bytes);
          end(true);
        },
      };
      const giveUp = () => {
        // What had just begun to arrive when this began to wait is old enough to give way by now.
        admit(pool);
        this.#stopWaiting?.();
        admit(pool);
      };
      this.#stopWaiting = () => {
        leave(pool, this.lane, waiting);
        end(false);
      };
      const others = pool.waiting.get(this.lane);
      if (others) others.push(waiting);
      else pool.waiting.set(this.lane, [waiting]);
      signal?.addEventListener("abort", giveUp, { once: true });
      if (signal?.aborted) giveUp();
      else admit(pool);
    });
  }

  keep(): void {
    this.#yields = null;
    this.#pool.yielding.delete(this);
  }

  shrinkTo(bytes: number): void {
    if (bytes >= this.#bytes) return;
    this.#change(bytes);
    admit(this.#pool);
  }

  release(): void {
    this.keep();
    this.#stopWaiting?.();
    this.shrinkTo(0);
  }

  mayGiveWay(now: number): boolean {
    return this.#yields !== null && now - this.#since >= this.#yields.safeMilliseconds;
  }

  /** Lets go of its room for good. */
  giveWay(): void {
    const yields = this.#yields;
    this.#gaveWay = true;
    this.keep();
    this.#change(0);
    this.#stopWaiting?.();
    yields?.giveWay();
  }

  #change(to: number): void {
    const pool = this.#pool;
    const step = to - this.#bytes;
    if (this.#bytes === 0) this.#since = performance.now();
    this.#bytes = to;
    pool.held += step;
    const ofLane = (pool.lanes.get(this.lane) ?? 0) + step;
    if (ofLane === 0) pool.lanes.delete(this.lane);
    else pool.lanes.set(this.lane, ofLane);
    if (this.#yields && step > 0) pool.yielding.add(this);
  }
}

/** Whether the bytes fit, if need be by taking room back. */
function makeRoom(pool: Pool, lane: string, bytes: number): boolean {
  if (pool.held === 0) return true;
  if (!hasRoom(pool, lane, bytes)) return false;
  return pool.held + bytes <= pool.capacity || takeBack(pool, lane, bytes);
}

function hasRoom({ lanes, capacity }: Pool, lane: string, bytes: number): boolean {
  const ofLane = lanes.get(lane) ?? 0;
  return ofLane === 0 || ofLane + bytes <= capacity / 2;
}

/**
 * Takes room back from lanes that hold more than this one would, of the fullest first; false, from nobody,
 * if that is not enough. Two lanes never take from each other in turn: the fuller one has to wait.
 */
function takeBack(pool: Pool, lane: string, bytes: number): boolean {
  const wanted = (pool.lanes.get(lane) ?? 0) + bytes;
  const now = performance.now();
  const ofLanes = new Map(pool.lanes);
  const chosen = new Set<Holding>();
  for (let free = pool.capacity - pool.held; free < bytes;) {
    let next: Holding | undefined;
    let most = wanted;
    for (const holding of pool.yielding) {
      const ofLane = ofLanes.get(holding.lane) ?? 0;
      if (ofLane <= most || chosen.has(holding) || !holding.mayGiveWay(now)) continue;
      next = holding;
      most = ofLane;
    }
    if (!next) return false;
    chosen.add(next);
    ofLanes.set(next.lane, most - next.bytes);
    free += next.bytes;
  }
  for (const holding of chosen) holding.giveWay();
  return true;
}

/** Lets in what fits, one lane after the other; whatever is too large for now keeps those behind it waiting. */
function admit(pool: Pool): void {
  for (let admitted = true; admitted;) {
    admitted = false;
    for (const [lane, [first]] of pool.waiting) {
      if (!first) continue;
      // A lane that holds its half waits only for itself.
      if (pool.held > 0 && !hasRoom(pool, lane, first.bytes)) continue;
      if (!makeRoom(pool, lane, first.bytes)) return;
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
