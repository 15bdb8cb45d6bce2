import type { Retention } from "./schema";
import { amount } from "@/lib/ground/amount";

/** How far back a page's history goes, as a sentence to append; empty when nothing is ever deleted. */
export function historyEnds({ days, atMost }: Retention["emails"]): string {
  const limits = [days, atMost].filter((limit) => limit !== null);
  if (limits.length === 0) return "";
  const kept = Math.min(...limits);
  return ` History ends after ${kept === 1 ? "a day" : `${amount(kept)} days`}.`;
}
