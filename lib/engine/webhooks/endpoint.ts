import type { ClaimedDelivery } from "./claim";

/** The most calls to one endpoint at the same time. */
const mostInFlight = 32;
const firstWindow = 4;
const largestWindow = 512;

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
    return this.more && this.held <= this.#window / 2;
  }

  get mayCall(): boolean {
    return this.queue.length > 0 && this.inFlight < Math.min(this.#window, mostInFlight);
  }

  /** Applies what a call has taught us; returns what should go back to the table. */
  learn(ok: boolean): ClaimedDelivery[] {
    this.proven = ok;
    this.#window = ok
      ? Math.min(this.#window * 2, largestWindow)
      : Math.max(1, Math.floor(this.#window / 4));
    return ok ? [] : this.queue.splice(0);
  }

  static readonly firstWindow = firstWindow;
}
