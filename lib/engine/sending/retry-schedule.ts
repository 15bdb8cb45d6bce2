/** Minutes until the next attempt after a temporary refusal; four hours from then on. */
const backoffMinutes = [1, 5, 15, 30, 60, 120];
const longestBackoffMinutes = 240;
/** The steps add up to four days. */
const mostAttempts = 31;
const lostConnectionSeconds = 5;
/** Minutes until the next attempt when the server may already have the message: each may make a second copy. */
const uncertainMinutes = [5, 20, 60];

/** Seconds until attempt number `attempts` + 1, spread by a tenth; null: the four days are over. */
export function retryAfterSeconds(attempts: number, spread: number = Math.random()): number | null {
  if (attempts >= mostAttempts) return null;
  const minutes = backoffMinutes[attempts - 1] ?? longestBackoffMinutes;
  return Math.round(minutes * 60 * (1 + 0.1 * spread));
}

/** A lost connection says nothing about the mail: the first retry comes soon. */
export function retryAfterLossSeconds(attempts: number): number | null {
  return attempts <= 1 ? lostConnectionSeconds : retryAfterSeconds(attempts - 1);
}

/** The message was written and no answer came; null: it is not tried again. */
export function retryUncertainSeconds(
  attempts: number,
  spread: number = Math.random(),
): number | null {
  const minutes = uncertainMinutes[attempts - 1];
  return minutes === undefined ? null : Math.round(minutes * 60 * (1 + 0.1 * spread));
}
