import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks again until there is an answer (not null, undefined or false) and returns it; throws with `what`
 * after `seconds`.
 */
export async function until<Value>(
  ask: () => Value | null | undefined | false | Promise<Value | null | undefined | false>,
  {
    what = "what was waited for",
    seconds = 10,
    everyMilliseconds = 10,
  }: { what?: string; seconds?: number; everyMilliseconds?: number } = {},
): Promise<Value> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await sleep(everyMilliseconds);
  }
}
