const firstSeconds = 0.5;
const longestSeconds = 30;
/** A process that has run this long did not fail to start: its next end counts as the first. */
const healthySeconds = 30;

/** Seconds to wait before each restart: 0.5, doubling up to 30, and back to 0.5 after a healthy run. */
export class Backoff {
  #failures = 0;

  /** How long to wait before the restart, given how long the process had run. */
  next(livedSeconds: number): number {
    if (livedSeconds >= healthySeconds) this.#failures = 0;
    return Math.min(longestSeconds, firstSeconds * 2 ** this.#failures++);
  }
}
