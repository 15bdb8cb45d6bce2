import type { Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { pauseRefused } from "@/lib/engine/campaigns/pause-refused";
import { log } from "@/lib/ground/log";
import { Breaker } from "./breaker";
import type { DeliveryResult } from "./result";

/** Pauses campaigns that a server refuses whoever their mail is for. */
export class RefusedCampaigns {
  readonly #db: Database;
  readonly #onPaused: () => Promise<void>;
  readonly #breaker = new Breaker();
  #pausing = 0;

  /** `onPaused` is called when a campaign is paused, before mail of campaigns may start again. */
  constructor(db: Database, onPaused: () => Promise<void>) {
    this.#db = db;
    this.#onPaused = onPaused;
  }

  /** Whether a campaign is being paused: until that is done no mail of campaigns is to be started. */
  get pausing(): boolean {
    return this.#pausing > 0;
  }

  /** Looks at what came of an email, and pauses its campaign when all of it meets the same. */
  async consider({ email, commonRefusal }: DeliveryResult): Promise<void> {
    if (email.campaignId === null || !this.#breaker.note(email.campaignId, commonRefusal)) return;
    this.#pausing++;
    try {
      await pauseRefused(this.#db, email.campaignId, commonRefusal ?? "");
      await this.#onPaused();
    } catch (error) {
      // The next refusals will have it paused.
      log.error({ code: errorCode(error) }, "A refused campaign could not be paused.");
    } finally {
      this.#pausing--;
    }
  }
}
