import { log } from "@/lib/ground/log";

/**
 * After this many such refusals in a row, the server is asking for less mail; it is not one recipient's problem.
 */
const enough = 5;
/** Emails a second: the slowest probing rate, and the lowest rate at which the limit may be lifted. */
const slowest = 1 / 60;
const leastOpen = 20;
const windowMilliseconds = 5_000;
const stepMilliseconds = 1_000;

/** A server's request for less mail; `rate` is emails a second. */
interface Throttling {
  words: string;
  rate: number;
  /** Milliseconds since 1970. */
  since: number;
}

/**
 * How much mail a server may be given after it asked for less: half as much at each refusal, down to one a minute;
 * more while it accepts, doubling up to half of what it once accepted and then adding one a second, until no limit
 * is needed any more. All times are of performance.now().
 */
export class Throttle {
  readonly #name: string;
  #refusals = 0;
  /** Emails accepted in the current window, and in the previous one. */
  #window = { start: 0, count: 0, before: 0 };
  #limit:
    | (Throttling & { before: number; tokens: number; filledAt: number; steppedAt: number })
    | null = null;

  /** `name`: who this is about, for the log. */
  constructor(name = "The mail server") {
    this.#name = name;
  }

  /** null for no limit. */
  get state(): Throttling | null {
    if (!this.#limit) return null;
    const { words, rate, since } = this.#limit;
    return { words, rate, since };
  }

  /** How many emails may start now. */
  allowance(now: number = performance.now()): number {
    if (!this.#limit) return Infinity;
    const { rate, tokens, filledAt } = this.#limit;
    // Unused allowance does not accumulate.
    this.#limit.tokens = Math.min(Math.max(1, rate), tokens + ((now - filledAt) / 1000) * rate);
    this.#limit.filledAt = now;
    return Math.floor(this.#limit.tokens);
  }

  /**
   * One email starts. Returns whether there is a limit, in which case its answer shows what the server accepts now.
   */
  begin(): boolean {
    if (this.#limit) this.#limit.tokens--;
    return this.#limit !== null;
  }

  /** The server accepted one. */
  accepted(now: number = performance.now()): void {
    this.#refusals = 0;
    const limit = this.#limit;
    if (!limit) {
      this.#turnWindow(now);
      this.#window.count++;
      return;
    }
    if (limit.rate >= 1 && now - limit.steppedAt < stepMilliseconds) return;
    limit.steppedAt = now;
    limit.rate = limit.rate < limit.before / 2 ? limit.rate * 2 : limit.rate + 1;
    if (limit.rate < Math.max(leastOpen, limit.before * 2)) return;
    this.#limit = null;
    log.info({ words: limit.words }, `${this.#name} accepts all mail again.`);
  }

  /** The server asked for less. Returns whether the server is slow, rather than a single recipient. */
  refused(words: string, now: number = performance.now()): boolean {
    const limit = this.#limit;
    if (limit) {
      if (now - limit.steppedAt >= Math.min(stepMilliseconds, 1_000 / limit.rate)) {
        limit.steppedAt = now;
        limit.rate = Math.max(slowest, limit.rate / 2);
        limit.tokens = Math.min(limit.tokens, 0);
        limit.words = words;
        log.info({ words, rate: limit.rate }, `${this.#name} keeps asking for less mail.`);
      }
      return true;
    }
    if (++this.#refusals < enough) return false;
    this.#turnWindow(now);
    const before = (Math.max(this.#window.before, this.#window.count) * 1_000) / windowMilliseconds;
    const rate = Math.max(1, before / 2);
    const since = Date.now();
    this.#limit = { words, rate, since, before, tokens: 0, filledAt: now, steppedAt: now };
    log.warn(
      { words, rate },
      `${this.#name} asks for less mail: it is given less, and the rest waits.`,
    );
    return true;
  }

  #turnWindow(now: number): void {
    const passed = now - this.#window.start;
    if (passed < windowMilliseconds) return;
    const before = passed < 2 * windowMilliseconds ? this.#window.count : 0;
    this.#window = { start: now, count: 0, before };
  }
}
