import type { ClaimedEmail } from "./claim";
import type { Held } from "./waiting";

/**
 * Mail that was checked longer ago than this is checked again. Of campaigns soon, so that people who leave get nothing
 * after a second; of all other mail what a slow server has kept waiting, since its deadline may have passed, or its
 * address been suppressed.
 */
const freshMilliseconds = { campaign: 500, other: 2_000 };

interface RecheckParts {
  /** Resolves to the uuids that may still go. */
  ask: (emails: readonly ClaimedEmail[]) => Promise<Set<string>>;
  /** When a campaign was last paused, of performance.now(). */
  campaignPausedAt: () => number;
}

/**
 * Whether mail may still go, asked just before it leaves. Mail waiting for a session with a slow mail
 * server is checked together: one statement for everything not yet started instead of one each.
 */
export class Rechecks {
  readonly #parts: RecheckParts;
  readonly #unstarted = new Set<Held>();
  readonly #refused = new WeakSet<Held>();
  #round: Promise<void> | null = null;

  constructor(parts: RecheckParts) {
    this.#parts = parts;
  }

  /** Joins the others that have not left: until `drop`, or until it may go. */
  add(held: Held): void {
    this.#unstarted.add(held);
  }

  drop(held: Held): void {
    this.#unstarted.delete(held);
  }

  /** Whether it may go now, after which it is not checked any more. Throws what the database throws. */
  async mayGo(held: Held): Promise<boolean> {
    const asked = performance.now();
    this.add(held);
    while (!this.#refused.has(held) && this.#isOld(held, asked)) {
      await (this.#round ??= this.#ask().finally(() => (this.#round = null)));
    }
    this.drop(held);
    return !this.#refused.has(held);
  }

  /** `asked`: an answer to a later question is new, however long it took. */
  #isOld({ email, checkedAt }: Held, asked: number): boolean {
    const ofCampaign = email.campaignId !== null;
    // A claim that was under way while a campaign was paused may still have taken some of its mail.
    if (ofCampaign && checkedAt < this.#parts.campaignPausedAt()) return true;
    const fresh = ofCampaign ? freshMilliseconds.campaign : freshMilliseconds.other;
    return checkedAt < asked && performance.now() - checkedAt > fresh;
  }

  async #ask(): Promise<void> {
    const now = performance.now();
    // Mail cleared by the last round may already be on its way.
    const old = [...this.#unstarted].filter((held) => this.#isOld(held, now));
    const allowed = await this.#parts.ask(old.map(({ email }) => email));
    for (const held of old) {
      if (allowed.has(held.email.id)) held.checkedAt = now;
      else this.#refused.add(held);
    }
  }
}
