import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";

interface BytePaceOptions {
  /** Bytes a second that each lane may take for as long as it likes. */
  perSecond: number;
  /** Bytes a lane may take at once after a quiet spell. */
  burst: number;
}

/** Bounds how many bytes a second a process works on for each lane (project). Whatever exceeds that waits. */
export class BytePace {
  readonly #perSecond: number;
  readonly #burst: number;
  /** When everything a lane has taken is paid for, in milliseconds of `performance.now()`. */
  readonly #paidAt = new LRUCache<string, number>({ max: 10_000 });

  constructor({ perSecond, burst }: BytePaceOptions) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Waits until the lane may take that many bytes; false, at once, if it would outlast the patience. */
  async take(lane: string, bytes: number, patienceMilliseconds: number): Promise<boolean> {
    const wait = this.book(lane, bytes, patienceMilliseconds);
    if (wait) await sleep(wait);
    return wait !== null;
  }

  /** Milliseconds until the lane may take that many bytes; null, counting none, if beyond patience. */
  book(lane: string, bytes: number, patienceMilliseconds: number): number | null {
    const now = performance.now();
    const paidAt = Math.max(now, this.#paidAt.get(lane) ?? 0);
    // Anything larger than the burst passes too, once nothing is owed for what came before it.
    const credit = Math.max(0, this.#burst - bytes);
    const wait = Math.max(0, paidAt - now - this.#milliseconds(credit));
    if (wait > patienceMilliseconds) return null;
    this.charge(lane, bytes);
    return wait;
  }

  /** Counts bytes whose number was not known before they arrived: the next ones wait for them. */
  charge(lane: string, bytes: number): void {
    const paidAt = Math.max(performance.now(), this.#paidAt.get(lane) ?? 0);
    this.#paidAt.set(lane, paidAt + this.#milliseconds(bytes));
  }

  #milliseconds(bytes: number): number {
    return (bytes / this.#perSecond) * 1_000;
  }
}
