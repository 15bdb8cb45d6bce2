const minute = 60;
const hour = 60 * minute;

/** The time between one try and the next; the first comes at once. After the last, the delivery has failed. */
export const retrySeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;
const longestWaitSeconds = 24 * hour;

/**
 * Seconds until the next try after `tries` that failed; null: there is none. `askedSeconds` is the
 * receiver's Retry-After: it is not called sooner. `random` is 0 to 1.
 */
export function secondsUntilRetry(
  tries: number,
  askedSeconds: number | null,
  random = Math.random(),
): number | null {
  const planned = retrySeconds[tries - 1];
  if (planned === undefined) return null;
  // A tenth to either side, so that what failed together does not come back together.
  const spread = planned * (0.9 + 0.2 * random);
  return Math.max(spread, Math.min(askedSeconds ?? 0, longestWaitSeconds));
}

/** Seconds that a Retry-After header asks for (RFC 9110, section 10.2.3: seconds or a date); null: none. */
export function readRetryAfter(header: string | undefined, nowMilliseconds: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  // Date.parse accepts too much as a date: "-5" and "1.5" are not dates.
  if (!/[a-z]/i.test(text) || Number.isNaN(at)) return null;
  return Math.max(0, (at - nowMilliseconds) / 1000);
}
