/** Runs work, so much of it at a time; the rest waits for its turn in the order it came. */
export function atMost(limit: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever waits longest takes the place over.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
