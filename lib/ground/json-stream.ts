/**
 * Items as a list in JSON, each written as it comes: memory stays flat however large they are together, and a reader
 * that stops ends the reading. `around`: what stands before and after the list. Throws what reading the first item
 * throws; a later fault breaks the text off.
 */
export async function jsonStream(
  items: AsyncIterable<unknown>,
  around: readonly [before: string, after: string] = ["", ""],
): Promise<ReadableStream<Uint8Array>> {
  const [before, after] = around;
  const encoder = new TextEncoder();
  const iterator = items[Symbol.asyncIterator]();
  let next: IteratorResult<unknown> | null = await iterator.next();
  let lead = `${before}[`;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const item = next ?? (await iterator.next());
        next = null;
        if (item.done) {
          controller.enqueue(encoder.encode(`${lead === "," ? "" : lead}]${after}`));
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(lead + JSON.stringify(item.value)));
        lead = ",";
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is read before somebody wants it.
    { highWaterMark: 0 },
  );
}
