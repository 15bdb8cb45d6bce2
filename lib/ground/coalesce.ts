/**
 * Gathers calls that arrive while the database is busy into one statement. An idle coalescer runs at
 * once, so a lone call waits for nobody; under load the batch grows by itself.
 *
 * @param run one result per item, in the items' order; a thrown error reaches every caller of the batch
 * @param concurrency batches under way at once
 * @param largestBatch items in one batch
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { concurrency = 2, largestBatch = 256 }: { concurrency?: number; largestBatch?: number } = {},
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  let queue: Waiting[] = [];
  let running = 0;
  let scheduled = false;

  const drain = () => {
    scheduled = false;
    while (running < concurrency && queue.length > 0) {
      const batch = queue.slice(0, largestBatch);
      queue = queue.slice(largestBatch);
      running++;
      void finish(batch);
    }
  };

  const finish = async (batch: Waiting[]) => {
    try {
      const results = await run(batch.map((waiting) => waiting.item));
      batch.forEach((waiting, index) => {
        waiting.resolve(results[index] as Result);
      });
    } catch (error) {
      batch.forEach((waiting) => {
        waiting.reject(error);
      });
    } finally {
      running--;
      drain();
    }
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      // One turn of the loop gathers what was read from the sockets together.
      if (!scheduled && running < concurrency) {
        scheduled = true;
        setImmediate(drain);
      }
    });
}
