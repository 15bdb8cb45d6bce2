/** What figures by provider call those that have no row of their own. */
export const otherProviders = "All others";
