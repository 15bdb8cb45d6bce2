/** How long other mail may keep campaign mail from being claimed. */
const patienceMilliseconds = 5_000;
/** After that, one email in this many is a campaign's for as long as the flood lasts. */
const campaignsShare = 8;

/**
 * Transactional mail goes first, but a flood of it still leaves campaigns a share, so that no project
 * can starve another's campaign.
 */
export class LaneWeights {
  /** When claims began to leave no room for campaigns; null when the last one left some. */
  #floodSince: number | null = null;
  #starts = 0;

  /** The part of a claim's limit that is reserved for campaigns. */
  keptForCampaigns(limit: number, now: number = performance.now()): number {
    return this.#isFlooded(now) ? Math.ceil(limit / campaignsShare) : 0;
  }

  /** Records a claim: whether mail outside campaigns fell short of its limit. */
  noteClaim(leftRoom: boolean, now: number = performance.now()): void {
    this.#floodSince = leftRoom ? null : (this.#floodSince ?? now);
  }

  /** Whether the next email to start is a campaign's, if one is waiting. */
  takeTurn(now: number = performance.now()): boolean {
    return this.#isFlooded(now) && ++this.#starts % campaignsShare === 0;
  }

  #isFlooded(now: number): boolean {
    return this.#floodSince !== null && now - this.#floodSince >= patienceMilliseconds;
  }
}
