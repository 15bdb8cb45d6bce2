import { isProjectAway } from "@/db/errors";

interface CoalesceOptions<Item> {
  concurrency?: number;
  largestBatch?: number;
  weigh?: (item: Item) => number;
  largestWeight?: number;
  pauseMilliseconds?: number;
  enough?: number;
}

/**
 * Gathers calls that arrive while the database is busy into one statement. An idle coalescer runs at
 * once, so a lone call waits for nobody; under load batches grow on their own.
 *
 * @param run one result per item, in the items' order; a thrown error reaches every caller of the batch, except that
 *   of a project that may not be changed here: then each item is run alone
 * @param concurrency batches under way at once
 * @param largestBatch items in one batch
 * @param pauseMilliseconds from the start of one batch to that of the next, at least, unless `enough` wait:
 *   items that come one at a time in quick succession are gathered, too
 * @param weigh what an item adds to its batch, which weighs `largestWeight` at most unless it is one item
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  {
    concurrency = 2,
    largestBatch = 256,
    weigh,
    largestWeight = Infinity,
    pauseMilliseconds = 0,
    enough = largestBatch,
  }: CoalesceOptions<Item> = {},
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  let queue: Waiting[] = [];
  let running = 0;
  let scheduled = false;
  let nextStart = -Infinity;

  const batchSize = () => {
    if (!weigh) return largestBatch;
    let weight = 0;
    const tooMuch = queue.findIndex(
      ({ item }, index) => (weight += weigh(item)) > largestWeight && index > 0,
    );
    return tooMuch === -1 ? largestBatch : Math.min(tooMuch, largestBatch);
  };

  let pause: NodeJS.Timeout | undefined;

  const schedule = () => {
    if (scheduled || running >= concurrency || queue.length === 0) return;
    const wait = queue.length < enough ? nextStart - performance.now() : 0;
    if (wait > 0) {
      pause ??= setTimeout(drain, wait);
      return;
    }
    scheduled = true;
    // One turn of the loop gathers everything that was read from the sockets at once.
    setImmediate(drain);
  };

  const drain = () => {
    scheduled = false;
    clearTimeout(pause);
    pause = undefined;
    while (running < concurrency && queue.length > 0) {
      nextStart = performance.now() + pauseMilliseconds;
      const size = batchSize();
      const batch = queue.slice(0, size);
      queue = queue.slice(size);
      running++;
      void finish(batch);
    }
  };

  /** One after the other, for what a single item of the batch made fail. */
  const finishAlone = async (batch: Waiting[]) => {
    for (const { item, resolve, reject } of batch) {
      await run([item]).then(([result]) => resolve(result as Result), reject);
    }
  };

  const finish = async (batch: Waiting[]) => {
    try {
      const results = await run(batch.map((waiting) => waiting.item));
      batch.forEach((waiting, index) => {
        waiting.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && isProjectAway(error)) await finishAlone(batch);
      else {
        batch.forEach((waiting) => {
          waiting.reject(error);
        });
      }
    } finally {
      running--;
      if (pauseMilliseconds > 0) schedule();
      else drain();
    }
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      schedule();
    });
}

/** The same, with a queue for each `key`, such as a database. */
export function coalesceFor<Key extends object, Item, Result>(
  run: (key: Key, items: Item[]) => Promise<Result[]>,
  options?: CoalesceOptions<Item>,
): (key: Key, item: Item) => Promise<Result> {
  const queues = new WeakMap<Key, (item: Item) => Promise<Result>>();
  return (key, item) => {
    let queue = queues.get(key);
    if (!queue) queues.set(key, (queue = coalesce((items) => run(key, items), options)));
    return queue(item);
  };
}
