/** Runs at most `limit` pieces of work at a time; the rest wait their turn, first come first. */
export function atMost(limit: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The one that has waited longest takes this place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
