import type { OthersPresent } from "@/lib/domain/presence/schema";
import { listFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";

/** `Ada and Grace have this open, too.`; empty: nobody else has, nor has changed anything. */
export function othersSentence({ others, unsaved = [] }: OthersPresent): string {
  const names = others.filter(({ isYou }) => !isYou).map(({ name }) => name);
  const isOpenTwice = others.some(({ isYou }) => isYou);
  const people =
    names.length > 0
      ? t("{count, plural, one {{names} has} other {{names} have}} this open, too.", {
          count: names.length,
          names: listFormat().format(names),
        })
      : "";
  const tab = isOpenTwice ? t("You have it open in another tab.") : "";
  const drafts =
    unsaved.length > 0
      ? t(
          "{count, plural, one {{names} has} other {{names} have}} changes in it that are not saved.",
          {
            count: unsaved.length,
            names: listFormat().format(unsaved),
          },
        )
      : "";
  return [people, tab, drafts].filter((sentence) => sentence !== "").join(" ");
}
