/** How many of so many sessions or requests campaigns may have: of more than five, some belong to all other mail alone. */
export const campaignShare = (most: number): number =>
  most > 5 ? most - Math.ceil(most / 10) : most;
