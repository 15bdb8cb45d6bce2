import type { ClaimedDelivery } from "./claim";

/** The most calls to one endpoint at the same time. */
const mostInFlight = 32;
const firstWindow = 4;
const largestWindow = 512;
/** What is held waits about this long for its call at most: meanwhile its webhook may be switched off, or lead elsewhere. */
const aheadSeconds = 1;
const leastAhead = 2;
/** The weight of each new duration in the mean. */
const newest = 0.2;

/**
 * What this process knows of one endpoint: how much of its work it may hold. The window doubles with each
 * success and shrinks with each failure, so that a hung endpoint holds one or a few calls.
 */
export class Endpoint {
  readonly queue: ClaimedDelivery[] = [];
  inFlight = 0;
  /** Answered, but not yet recorded. */
  recording = 0;
  /** Whether the last claim took all there was room for, so that more may be due. */
  more = false;
  /** Whether the last call succeeded. */
  proven = false;
  #window: number;
  /** How long a call that succeeds takes. */
  #meanSeconds = 0;

  constructor(failing: boolean) {
    this.#window = failing ? 1 : firstWindow;
  }

  get held(): number {
    return this.inFlight + this.recording + this.queue.length;
  }

  /** How many deliveries may be claimed for it. */
  get room(): number {
    return Math.max(0, this.#window - this.held);
  }

  /** Whether a claim is worthwhile: something waits in the table, and what is held is running low. */
  get hungry(): boolean {
    if (!this.more) return false;
    const ahead = this.#window - mostInFlight;
    return ahead > 0 ? this.queue.length <= ahead / 2 : this.held <= this.#window / 2;
  }

  get mayCall(): boolean {
    return this.queue.length > 0 && this.inFlight < Math.min(this.#window, mostInFlight);
  }

  /** Applies what a call has taught us; returns what should go back to the table. */
  learn({ ok, milliseconds }: { ok: boolean; milliseconds: number }): ClaimedDelivery[] {
    this.proven = ok;
    if (!ok) {
      this.#window = Math.max(1, Math.floor(this.#window / 4));
      return this.queue.splice(0);
    }
    const seconds = milliseconds / 1000;
    this.#meanSeconds += (this.#meanSeconds === 0 ? 1 : newest) * (seconds - this.#meanSeconds);
    const ahead = Math.max(leastAhead, (mostInFlight * aheadSeconds) / this.#meanSeconds);
    this.#window = Math.min(this.#window * 2, largestWindow, mostInFlight + Math.ceil(ahead));
    return [];
  }

  static readonly firstWindow = firstWindow;
}
