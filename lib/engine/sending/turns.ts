/** What has to wait for its turn is looked at again after that, in seconds. */
const wait = { least: 5, most: 900 };

/** Hands out turns to mail that may leave at a given rate only, each a little later than the one before. */
export class Turns {
  /** When the last of what waits has its turn, of performance.now(). */
  #last = 0;

  /** Seconds until the next turn that nobody has, which is taken; `rate`: emails a second. */
  next(rate: number | undefined, now: number = performance.now()): number {
    if (rate === undefined) return wait.least;
    const turn = Math.max(now, this.#last) + 1_000 / rate;
    // Who comes later than that asks again: by then more may be taken.
    this.#last = Math.min(turn, now + wait.most * 1_000);
    return Math.min(wait.most, Math.max(wait.least, (turn - now) / 1_000));
  }
}
