/** How many of so many sessions or requests campaigns may have: a tenth, one at least, belongs to all other mail alone. */
export const campaignShare = (most: number): number =>
  most > 1 ? most - Math.ceil(most / 10) : most;
