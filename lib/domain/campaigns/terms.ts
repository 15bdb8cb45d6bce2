/** Campaigns side by side. */
export const mostCompared = 5;
