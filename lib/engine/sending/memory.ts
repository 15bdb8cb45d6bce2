import { ByteBudget } from "@/lib/ground/byte-budget";
import { ByteHold } from "@/lib/ground/byte-hold";

/** Emails being built, handed over or recorded, over all dispatchers of a process. */
const budget = new ByteBudget({
  capacity: 192_000_000,
  smallCapacity: 48_000_000,
  largestSmall: 1_000_000,
});

/** How much of the process's memory one email holds, from before its making until its result is recorded. */
export function emailMemory(projectId: string): ByteHold {
  return new ByteHold(budget, projectId);
}
