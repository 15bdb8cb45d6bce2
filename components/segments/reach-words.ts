import { skippedWords } from "@/components/contacts/skipped-words";
import { count } from "@/components/ui/numbers";
import type { Excluded } from "@/lib/domain/contact-states/schema";
import { t } from "@/lib/ground/texts/t";

/** Why a campaign to a segment goes to fewer people than match it; `reachable` are those it goes to. */
export function reachWords(matching: number, reachable: number, excluded: Excluded): string {
  if (matching === 0) return "";
  if (matching <= reachable) return t("A campaign would reach all of them.");
  const skipped = skippedWords(excluded);
  return reachable === 0
    ? t("A campaign would reach none of them. {skipped}", { skipped })
    : t("A campaign would reach {reachable} of them. {skipped}", {
        reachable: count(reachable),
        skipped,
      });
}
