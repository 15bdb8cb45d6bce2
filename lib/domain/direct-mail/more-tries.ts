import { log } from "@/lib/ground/log";

/** Greylisting takes five minutes as a rule, and a link that signs in lasts ten. */
let delaysMilliseconds: readonly number[] = [60_000, 120_000, 180_000, 150_000];
const mostWaiting = 1_000;
let waiting = 0;

/** For tests, which do not wait for minutes. */
export function replaceDelays(milliseconds: readonly number[]): readonly number[] {
  const before = delaysMilliseconds;
  delaysMilliseconds = milliseconds;
  return before;
}

/**
 * Tries again what `isTemporary` says may come about later, some times within nine minutes, and says in the log when it
 * did not. It is kept in memory alone, since it holds a link for one person: it ends with the process. false: too many
 * wait already.
 */
export function tryLater(
  attempt: () => Promise<void>,
  isTemporary: (error: unknown) => boolean,
): boolean {
  if (waiting >= mostWaiting) return false;
  waiting++;
  const delays = delaysMilliseconds;
  const next = (index: number) => {
    setTimeout(() => {
      attempt().then(
        () => waiting--,
        (error: unknown) => {
          if (isTemporary(error) && index + 1 < delays.length) return next(index + 1);
          waiting--;
          log.error({ tries: index + 2 }, "A mail with a link was refused to the end.");
        },
      );
    }, delays[index]).unref();
  };
  next(0);
  return true;
}
