/** How long other mail may keep campaign mail from being claimed. */
const patienceMilliseconds = 5_000;
/** After that, one email in this many is a campaign's for as long as the flood lasts. */
const campaignsShare = 8;

/**
 * Transactional mail goes first, but a flood of it still leaves campaigns a share, so that no project
 * can starve another's campaign.
 */
export class LaneWeights {
  /** When claims began to leave no room for campaigns; null: the last one did. */
  #floodSince: number | null = null;
  #starts = 0;

  /** Of a claim's limit, what is kept for campaigns. */
  keptForCampaigns(limit: number, now: number = performance.now()): number {
    return this.#isFlooded(now) ? Math.ceil(limit / campaignsShare) : 0;
  }

  /** Notes a claim: whether other mail than campaigns' was short of its limit. */
  noteClaim(leftRoom: boolean, now: number = performance.now()): void {
    this.#floodSince = leftRoom ? null : (this.#floodSince ?? now);
  }

  /** Whether the next email to be started is a campaign's, if one waits. */
  takeTurn(now: number = performance.now()): boolean {
    return this.#isFlooded(now) && ++this.#starts % campaignsShare === 0;
  }

  #isFlooded(now: number): boolean {
    return this.#floodSince !== null && now - this.#floodSince >= patienceMilliseconds;
  }
}
