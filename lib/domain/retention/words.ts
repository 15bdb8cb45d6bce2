import type { Retention } from "./schema";
import { amount } from "@/lib/ground/amount";

/** Where a page's history ends, as a sentence after another; empty where nothing is taken away. */
export function historyEnds({ days, atMost }: Retention["emails"]): string {
  const limits = [days, atMost].filter((limit) => limit !== null);
  if (limits.length === 0) return "";
  const kept = Math.min(...limits);
  return ` History ends after ${kept === 1 ? "a day" : `${amount(kept)} days`}.`;
}
