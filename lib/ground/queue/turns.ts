/** How long mail waits before it asks again, in seconds. */
const wait = { least: 5, most: 900 };

/** Gives mail that may only leave at a given rate its turns, each a little after the one before. */
export class Turns {
  /** The last turn that was handed out, by performance.now(). */
  #last = 0;

  /** Takes the next free turn and returns the seconds until it; `rate`: emails a second. */
  next(rate: number | undefined, now: number = performance.now()): number {
    if (rate === undefined) return wait.least;
    const turn = Math.max(now, this.#last) + 1_000 / rate;
    // Mail further back asks again: by then the rate may be another.
    this.#last = Math.min(turn, now + wait.most * 1_000);
    return Math.min(wait.most, Math.max(wait.least, (turn - now) / 1_000));
  }
}
