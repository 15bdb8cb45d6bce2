/** How far back the figures reach, and how wide a bar is. */
export const overviewRanges = {
  "24h": { hours: 24, bucketHours: 1 },
  "7d": { hours: 7 * 24, bucketHours: 24 },
  "30d": { hours: 30 * 24, bucketHours: 24 },
  "90d": { hours: 90 * 24, bucketHours: 24 },
} as const;
export type OverviewRange = keyof typeof overviewRanges;
export const rangeNames = Object.keys(overviewRanges) as OverviewRange[];

/** Which campaigns the overview shows: those on their way, and those that wait for somebody. */
export const currentCampaigns = {
  sending: { status: "SENDING", limit: 5 },
  paused: { status: "PAUSED", limit: 5 },
} as const;

/** How far back figures by provider reach, whatever the range: as far as a provider's judgement does. */
export const providerDays = 7;
/** They are of the newest so many emails at most, which bounds the work. */
export const mostProviderEmails = 100_000;
