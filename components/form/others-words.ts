import type { OthersPresent } from "@/lib/domain/presence/schema";

const inWords = new Intl.ListFormat("en");

/** `Ada and Grace have this open, too.`; empty: nobody else has. */
export function othersSentence({ others }: OthersPresent): string {
  const names = others.filter(({ isYou }) => !isYou).map(({ name }) => name);
  const isOpenTwice = others.some(({ isYou }) => isYou);
  const people =
    names.length > 0
      ? `${inWords.format(names)} ${names.length === 1 ? "has" : "have"} this open, too.`
      : "";
  const tab = isOpenTwice ? "You have it open in another tab." : "";
  return [people, tab].filter((sentence) => sentence !== "").join(" ");
}
