const firstSeconds = 0.5;
const longestSeconds = 30;
/** Who lived that long is not failing to start: its next end counts as the first. */
const healthySeconds = 30;

/** Seconds to wait before each restart: 0.5 doubling to 30, from the beginning after a healthy life. */
export class Backoff {
  #failures = 0;

  /** The wait after an end, given how long the process had lived. */
  next(livedSeconds: number): number {
    if (livedSeconds >= healthySeconds) this.#failures = 0;
    return Math.min(longestSeconds, firstSeconds * 2 ** this.#failures++);
  }
}
