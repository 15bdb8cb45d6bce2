/** One place in this many is never a campaign's. */
const keptShare = 6;
/** Mail whose server takes longer than this no longer keeps other mail from being started. */
const slowMilliseconds = 10_000;
const mostSlow = 1_000;

/** The place of one email that is under way. */
export interface Place {
  /** Gives the place to others for a while. */
  leave(): void;
  /** Takes it again, whether or not there is room. */
  enter(): void;
  /** The email is finished. */
  end(): void;
}

/**
 * Bounds how many emails are under way at once: what a `kill -9` can send twice. Emails to slow servers stop
 * counting towards the bound, so that they hold nobody up.
 */
export class Places {
  readonly #size: number;
  readonly #onFreed: () => void;
  #taken = 0;
  #slow = 0;

  /** `onFreed` is called when a place becomes free before its email has ended. */
  constructor(size: number, onFreed: () => void) {
    this.#size = size;
    this.#onFreed = onFreed;
  }

  get free(): number {
    return this.#size - this.#taken;
  }

  /** Whether mail of campaigns may take one more place. */
  get freeForCampaigns(): boolean {
    return this.#taken < this.#size - Math.floor(this.#size / keptShare);
  }

  take(): Place {
    this.#taken++;
    let away = false;
    let slow = false;
    const slowness = setTimeout(() => {
      if (away || this.#slow >= mostSlow) return;
      slow = true;
      this.#slow++;
      this.#taken--;
      this.#onFreed();
    }, slowMilliseconds);
    return {
      leave: () => {
        // A slow one no longer counts towards the bound.
        if (slow) return;
        away = true;
        this.#taken--;
        this.#onFreed();
      },
      enter: () => {
        if (!away) return;
        away = false;
        this.#taken++;
      },
      end: () => {
        clearTimeout(slowness);
        if (slow) this.#slow--;
        else this.#taken--;
      },
    };
  }
}
