const seconds = 120;

/**
 * Runs what ends by itself once there is nothing left to do. Rejects when two minutes were not enough: what is told to stop
 * returns as if it were done, and a test would find half of the work on a slow machine.
 */
export async function toItsEnd<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(seconds * 1_000);
  const result = await run(limit);
  if (limit.aborted) throw new Error(`Not at its end after ${seconds} s.`);
  return result;
}
