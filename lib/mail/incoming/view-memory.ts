import { ByteBudget } from "@/lib/ground/byte-budget";
import { ByteHold } from "@/lib/ground/byte-hold";

const megabyte = 1024 * 1024;
const holder = globalThis as { lettermillViewMemory?: ByteBudget };

/** How much mail the program holds in memory to show it, or a file of it: received, sent and captured mail alike. */
function budget(): ByteBudget {
  return (holder.lettermillViewMemory ??= new ByteBudget({
    capacity: 96 * megabyte,
    smallCapacity: 32 * megabyte,
    largestSmall: megabyte / 4,
  }));
}

/** Runs what holds mail in memory; the lanes (projects) of those that wait for room take turns. */
export async function withViewMemory<Result>(
  lane: string,
  view: (memory: ByteHold) => Promise<Result>,
): Promise<Result> {
  const memory = new ByteHold(budget(), lane);
  try {
    return await view(memory);
  } finally {
    memory.release();
  }
}
