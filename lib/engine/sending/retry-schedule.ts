/** Minutes until the next attempt after a temporary refusal; four hours from then on. */
const backoffMinutes = [1, 5, 15, 30, 60, 120];
const longestBackoffMinutes = 240;
/** The steps add up to four days. */
const mostAttempts = 31;
const lostConnectionSeconds = 5;
/** How many workers may die with a message before a lost answer ends it: it may be what killed them. */
const mostDeaths = 3;
/** Minutes until the next attempt when the server may already have the message: each may make a second copy. */
const uncertainMinutes = [5, 20, 60];

/**
 * Minutes until the next attempt when the server refuses the message for good. Meanwhile it shows whether it refuses
 * all of them, whoever they are for: those can then still be sent.
 */
const refusedMinutes = [5, 60];

/** An email's attempts so far. */
interface Tries {
  /** Including the last one. */
  attempts: number;
  /** Of those, how many ended with their worker: that was our fault, and no reason to wait longer. */
  interrupted: number;
}

/** Seconds until the next attempt, spread by a tenth; null: the four days are over. */
export function retryAfterSeconds(
  { attempts, interrupted }: Tries,
  spread: number = Math.random(),
): number | null {
  return attempts >= mostAttempts ? null : backoffSeconds(attempts - interrupted, spread);
}

function backoffSeconds(tries: number, spread: number): number {
  const minutes = backoffMinutes[Math.max(1, tries) - 1] ?? longestBackoffMinutes;
  return Math.round(minutes * 60 * (1 + 0.1 * spread));
}

/** A lost connection says nothing about the mail: the first retry comes soon. */
export function retryAfterLossSeconds({ attempts, interrupted }: Tries): number | null {
  if (attempts - interrupted <= 1) return lostConnectionSeconds;
  return attempts > mostAttempts ? null : backoffSeconds(attempts - interrupted - 1, Math.random());
}

/** The message was refused for good; null when it is not tried again. */
export function retryRefusedSeconds(
  { attempts, interrupted }: Tries,
  spread: number = Math.random(),
): number | null {
  const minutes = refusedMinutes[attempts - interrupted - 1];
  return minutes === undefined ? null : Math.round(minutes * 60 * (1 + 0.1 * spread));
}

/** The message was written but no answer came; null when it is not tried again. */
export function retryUncertainSeconds(
  { attempts, interrupted }: Tries,
  spread: number = Math.random(),
): number | null {
  if (interrupted > mostDeaths) return null;
  const minutes = uncertainMinutes[attempts - interrupted - 1];
  return minutes === undefined ? null : Math.round(minutes * 60 * (1 + 0.1 * spread));
}
