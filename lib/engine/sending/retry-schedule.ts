/** Minutes until the next try after a temporary refusal; four hours from then on. */
const backoffMinutes = [1, 5, 15, 30, 60, 120];
const longestBackoffMinutes = 240;
/** The steps add up to four days. */
const mostAttempts = 31;
const lostConnectionSeconds = 5;
/** Minutes until the next try of what the server may have: each is perhaps a second copy. */
const uncertainMinutes = [5, 20, 60];

/** Seconds until try number `attempts` + 1, spread by a tenth; null: four days are over. */
export function retryAfterSeconds(attempts: number, spread: number = Math.random()): number | null {
  if (attempts >= mostAttempts) return null;
  const minutes = backoffMinutes[attempts - 1] ?? longestBackoffMinutes;
  return Math.round(minutes * 60 * (1 + 0.1 * spread));
}

/** A connection that went away says nothing about the mail: the first try again is soon. */
export function retryAfterLossSeconds(attempts: number): number | null {
  return attempts <= 1 ? lostConnectionSeconds : retryAfterSeconds(attempts - 1);
}

/** The message was written and its answer never came; null: it is not tried again. */
export function retryUncertainSeconds(
  attempts: number,
  spread: number = Math.random(),
): number | null {
  const minutes = uncertainMinutes[attempts - 1];
  return minutes === undefined ? null : Math.round(minutes * 60 * (1 + 0.1 * spread));
}
