import { csvLines } from "./csv";

const written = new WeakMap<ReadableStream, { rows: number }>();

/** How many rows a CSV stream has given so far, without its header; null for any other stream. */
export const rowsWritten = (stream: ReadableStream): number | null =>
  written.get(stream)?.rows ?? null;

/**
 * Rows as a CSV stream, read and written a few at a time: memory stays flat at any size, and a reader that
 * stops ends the reading. `read` gives at most `limit` rows that come after `last` (null: the first ones);
 * fewer than that means they are the last.
 */
export function csvStream<Row>(options: {
  header: readonly string[];
  read: (last: Row | null, limit: number) => Promise<readonly Row[]>;
  cells: (row: Row) => readonly string[];
}): ReadableStream<Uint8Array> {
  const rowsAtOnce = 2000;
  const encoder = new TextEncoder();
  let last: Row | null = null;
  const progress = { rows: 0 };
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(csvLines([options.header]))),
    async pull(controller) {
      const rows: readonly Row[] = await options.read(last, rowsAtOnce);
      if (rows.length > 0) controller.enqueue(encoder.encode(csvLines(rows.map(options.cells))));
      progress.rows += rows.length;
      last = rows.at(-1) ?? null;
      if (rows.length < rowsAtOnce) controller.close();
    },
  });
  written.set(stream, progress);
  return stream;
}
