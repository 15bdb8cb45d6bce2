/** Refusals with the same words in a row after which the next one is not waited for. */
const enough = 20;

/**
 * Finds campaigns whose mail a server refuses for what is not the recipients': the same answer twenty
 * times in a row. Addresses, numbers and ids in it do not make it another one.
 */
export class Breaker {
  readonly #refusals = new Map<string, { words: string; count: number }>();

  /** Notes what came of a campaign's mail; `refusal` is null for all else. True: it is to be paused. */
  note(campaignId: string, refusal: string | null): boolean {
    if (refusal === null) {
      this.#refusals.delete(campaignId);
      return false;
    }
    const words = refusal
      .split(/\s+/)
      .filter((word) => !/[@\d]/.test(word))
      .join(" ")
      .slice(0, 200);
    const before = this.#refusals.get(campaignId);
    const count = before?.words === words ? before.count + 1 : 1;
    if (count < enough) this.#refusals.set(campaignId, { words, count });
    else this.#refusals.delete(campaignId);
    return count >= enough;
  }
}
