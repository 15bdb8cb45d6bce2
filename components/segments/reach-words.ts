import { skippedWords } from "@/components/contacts/skipped-words";
import { count } from "@/components/ui/numbers";
import type { Excluded } from "@/lib/domain/contact-states/schema";

/** Why a campaign to a segment goes to fewer people than match it; `reachable` are those it goes to. */
export function reachWords(matching: number, reachable: number, excluded: Excluded): string {
  if (matching === 0) return "";
  if (matching <= reachable) return "A campaign would reach all of them.";
  const reached = reachable === 0 ? "none" : count(reachable);
  return `A campaign would reach ${reached} of them. ${skippedWords(excluded)}`;
}
