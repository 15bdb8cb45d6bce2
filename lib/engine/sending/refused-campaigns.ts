import type { Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { guardCampaign, pauseRefused, tellPaused, type Paused } from "@/lib/engine/guard/guard";
import { log } from "@/lib/ground/log";
import { Breaker } from "./breaker";
import type { DeliveryResult } from "./result";

/** How many bounces of a campaign it takes to look at its rate: fewer mean nothing (see judgeBounces). */
const bouncesToLook = 10;

/** Pauses campaigns that a server refuses for every recipient, and those that bounce too often. */
export class RefusedCampaigns {
  readonly #db: Database;
  readonly #onPaused: () => Promise<void>;
  readonly #breaker = new Breaker();
  /** Bounces recorded since their campaign was last looked at. */
  readonly #bounces = new Map<string, number>();
  readonly #letters = new Set<Promise<void>>();
  #pausing = 0;

  /** `onPaused` is called when a campaign is paused, before mail of campaigns may start again. */
  constructor(db: Database, onPaused: () => Promise<void>) {
    this.#db = db;
    this.#onPaused = onPaused;
  }

  /** Whether a campaign is being paused: no campaign mail may start until that is done. */
  get pausing(): boolean {
    return this.#pausing > 0;
  }

  /** Looks at the outcome of an email, and pauses its campaign when all of its mail meets the same fate. */
  async consider({ email, commonRefusal, receiver }: DeliveryResult): Promise<void> {
    const { campaignId } = email;
    if (campaignId === null) return;
    const enough = this.#breaker.note(campaignId, commonRefusal?.words ?? null, receiver);
    if (!enough || commonRefusal === null) return;
    await this.#pause(() => pauseRefused(this.#db, campaignId, commonRefusal));
  }

  /** Looks at the figures of an email's campaign, now that its result is among them. */
  async recorded({ email, status }: DeliveryResult): Promise<void> {
    const { campaignId } = email;
    if (campaignId === null || status !== "BOUNCED") return;
    const bounces = (this.#bounces.get(campaignId) ?? 0) + 1;
    if (bounces < bouncesToLook) {
      this.#bounces.set(campaignId, bounces);
      return;
    }
    this.#bounces.delete(campaignId);
    await this.#pause(() => guardCampaign(this.#db, campaignId));
  }

  /** Resolves when everybody has been notified of the pauses. */
  async told(): Promise<void> {
    await Promise.all(this.#letters);
  }

  async #pause(work: () => Promise<Paused | null>): Promise<void> {
    this.#pausing++;
    try {
      const paused = await work();
      if (!paused) return;
      // Mail does not wait for the letters.
      const letters = tellPaused(this.#db, paused).finally(() => this.#letters.delete(letters));
      this.#letters.add(letters);
      await this.#onPaused();
    } catch (error) {
      // The next refusals will pause it.
      log.error({ code: errorCode(error) }, "A refused campaign could not be paused.");
    } finally {
      this.#pausing--;
    }
  }
}
