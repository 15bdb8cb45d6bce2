import { count } from "@/components/ui/numbers";

/** Why a campaign to a segment goes to fewer people than match it; `reachable` are those it goes to. */
export function reachWords(matching: number, reachable: number): string {
  const others = matching - reachable;
  if (matching === 0) return "";
  if (others <= 0) return "A campaign would reach all of them.";
  const reached = reachable === 0 ? "none" : count(reachable);
  const rest =
    reachable === 0
      ? "They are"
      : others === 1
        ? "The other one is"
        : `The other ${count(others)} are`;
  return `A campaign would reach ${reached} of them. ${rest} not subscribed, or suppressed after a bounce or complaint.`;
}
