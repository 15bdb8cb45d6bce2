/** How many refusals with the same words in a row it takes to stop. */
const enough = 20;

/**
 * Finds campaigns whose mail a server refuses for what is not the recipients': the same answer twenty
 * times in a row. Addresses, numbers and ids in it do not make it another one.
 */
export class Breaker {
  readonly #refusals = new Map<string, { words: string; count: number }>();

  /** Notes the outcome of a campaign's email; `refusal` is null for any other outcome. True: pause the campaign. */
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
