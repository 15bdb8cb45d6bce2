import { jsonStream } from "@/lib/ground/json-stream";
import type { OperationAnswer } from "./operation";

async function* converted<From>(items: AsyncIterable<From>, toItem: (item: From) => unknown) {
  for await (const item of items) yield toItem(item);
}

/**
 * A list whose items may be large together: each is written as it is read, and no two are in memory at once. `around`:
 * what stands before and after the list.
 */
export async function jsonAnswer<From>(
  items: AsyncIterable<From>,
  options: {
    toItem?: (item: From) => unknown;
    around?: readonly [before: string, after: string];
  } = {},
): Promise<OperationAnswer<never>> {
  const { toItem = (item) => item, around } = options;
  return {
    status: 200,
    stream: await jsonStream(converted(items, toItem), around),
    headers: { "content-type": "application/json" },
  };
}
