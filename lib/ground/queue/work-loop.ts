import { Wake } from "./wake";

const pollMilliseconds = 1_000;

/** A queue in the database, as its loop sees it. */
export interface Queue {
  /** Claims what there is room for and starts on it; resolves to whether more may be due. */
  claim(signal: AbortSignal): Promise<boolean>;
  /** Whether there is room for more. */
  hungry(): boolean;
  /** Items claimed and not settled. */
  held(): number;
}

/**
 * Claims from a queue for as long as there is room and something due, then sleeps until it is woken, or
 * for a second: a lost wake-up costs no more than that.
 */
export class WorkLoop {
  readonly #wake = new Wake();
  readonly #queue: Queue;
  /** The last claim found nothing more: only news or time makes another worth it. */
  #exhausted = false;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** Looks for due work now. */
  notify(): void {
    this.#wake.notify();
  }

  /** To be called when an item was settled; `hungry`: that has made room for more. */
  settled(hungry: boolean): void {
    if (this.#queue.held() === 0 || (hungry && !this.#exhausted)) this.#wake.notify();
  }

  /** Works until the signal aborts, or, with `untilEmpty`, until nothing is due and nothing held. */
  async run(signal: AbortSignal, { untilEmpty = false } = {}): Promise<void> {
    while (!signal.aborted) {
      const more = await this.#queue.claim(signal);
      this.#exhausted = !more;
      if (more && this.#queue.hungry()) continue;
      if (!more && untilEmpty && this.#queue.held() === 0) return;
      await this.#wake.wait(pollMilliseconds, signal);
    }
  }

  /** Waits until nothing is held any more, `seconds` at most. */
  async drain(seconds: number): Promise<void> {
    const deadline = AbortSignal.timeout(seconds * 1000);
    while (this.#queue.held() > 0 && !deadline.aborted) await this.#wake.wait(100, deadline);
  }
}

/** Does `work` again, with growing pauses, while it fails; rejects after `tries`. */
export async function keepTrying(work: () => Promise<unknown>, tries: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt >= tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** attempt, 5_000)));
    }
  }
}
