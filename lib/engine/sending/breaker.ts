import { LRUCache } from "lru-cache";
import { operatorOf } from "@/lib/domain/receivers/operator";

/** How many refusals with the same words in a row it takes to stop. */
const enough = 20;
/** Of what was tried meanwhile, the part that one receiver has to refuse: others do not wait for a small one. */
const leastShare = 1 / 10;
const kept = 10_000;

interface Run {
  words: string;
  count: number;
  /** Outcomes before it began. */
  before: number;
}

/**
 * Finds campaigns whose mail a server refuses for reasons that have nothing to do with the recipients: the same
 * answer twenty times in a row, regardless of the addresses, numbers and ids in it. Receivers that answer for
 * themselves are judged one by one: what another takes says nothing of them.
 */
export class Breaker {
  readonly #runs = new LRUCache<string, Run>({ max: kept });
  readonly #outcomes = new LRUCache<string, number>({ max: kept });

  /**
   * Notes the outcome of a campaign's email; `refusal` is null for any other outcome, `receiver` the host that answered for
   * itself alone. True: pause the campaign.
   */
  note(campaignId: string, refusal: string | null, receiver: string | null = null): boolean {
    const outcomes = (this.#outcomes.get(campaignId) ?? 0) + 1;
    this.#outcomes.set(campaignId, outcomes);
    const key = receiver === null ? campaignId : `${campaignId} ${operatorOf(receiver)}`;
    if (refusal === null) {
      this.#runs.delete(key);
      return false;
    }
    const words = refusal
      .split(/\s+/)
      .filter((word) => !/[@\d]/.test(word))
      .join(" ")
      .slice(0, 200);
    const last = this.#runs.get(key);
    const { before, count } = last?.words === words ? last : { before: outcomes - 1, count: 0 };
    if (count + 1 < enough) {
      this.#runs.set(key, { words, before, count: count + 1 });
      return false;
    }
    this.#runs.delete(key);
    return receiver === null || enough / (outcomes - before) >= leastShare;
  }
}
