/*
 * A short list of our own: phrases that mail programs' published advice and mail administrators' rule sets name
 * again and again. It does not predict any filter: whether mail arrives depends far more on the sender's
 * reputation.
 */

import { t } from "@/lib/ground/texts/t";

const phrases: readonly (readonly [RegExp, number])[] = [
  [/\b100 ?% free\b/i, 2],
  [/\bact now\b/i, 1],
  [/\bas seen on\b/i, 1],
  [/\bbuy (?:direct|now)\b/i, 0.5],
  [/\bcash bonus\b/i, 2],
  [/\bclick (?:here|below) now\b/i, 1],
  [/\bdear (?:friend|sir or madam)\b/i, 1],
  [/\bdouble your (?:income|money|cash)\b/i, 3],
  [/\bearn (?:extra )?(?:cash|money)\b/i, 2],
  [/\bextra income\b/i, 2],
  [/\bfast cash\b/i, 2],
  [/\bfinancial freedom\b/i, 2],
  [/\bfree (?:gift|money|trial|access)\b/i, 1],
  [/\bget rich\b/i, 3],
  [/\bguaranteed? (?:income|results|winner)\b/i, 2],
  [/\blimited[- ]time(?: only)?\b/i, 0.5],
  [/\blose weight\b/i, 1.5],
  [/\bmake money\b/i, 2],
  [/\bmiracle\b/i, 1],
  [/\bno (?:catch|obligation|strings attached)\b/i, 1],
  [/\bonce in a lifetime\b/i, 1],
  [/\border now\b/i, 0.5],
  [/\brisk[- ]free\b/i, 1],
  [/\bthis is not spam\b/i, 3],
  [/\burgent\b/i, 0.5],
  [/\bviagra|cialis\b/i, 4],
  [/\bwork from home\b/i, 1],
  [/\byou (?:are|have been) (?:a winner|selected)\b/i, 2],
  [/\byou(?:'ve| have) won\b/i, 3],
  [/\bwinner\b/i, 0.5],
  [/[$€£]{3,}/, 2],
];

/** From this many points on it is worth mentioning. */
export const notablePoints = 5;
const longestText = 200_000;

export interface SpamReason {
  text: string;
  points: number;
}

/** Traits a mail shares with unwanted mail, the most serious first. `text`: what its body shows. */
export function findSpamReasons({
  subject,
  text,
  images,
}: {
  subject: string;
  text: string;
  images: number;
}): SpamReason[] {
  const reasons: SpamReason[] = [];
  const shown = `${subject}\n${text.slice(0, longestText)}`;
  for (const [phrase, points] of phrases) {
    const match = phrase.exec(shown);
    if (match) reasons.push({ text: `“${match[0]}”`, points });
  }
  const letters = subject.replace(/[^\p{L}]/gu, "");
  if (
    letters.length >= 10 &&
    letters === letters.toUpperCase() &&
    letters !== letters.toLowerCase()
  ) {
    reasons.push({ text: t("the subject is all capitals"), points: 2 });
  }
  if (/!{2,}/.test(subject)) reasons.push({ text: t("exclamation marks in a row"), points: 1 });
  if (/^\s*(?:re|fwd?|aw|wg)\s*:/i.test(subject)) {
    reasons.push({ text: t("the subject pretends to be a reply"), points: 2 });
  }
  const words = text.split(/\s+/, 60).filter(Boolean).length;
  if (images > 0 && words < 20)
    reasons.push({ text: t("pictures and hardly any text"), points: 2 });
  return reasons.sort((left, right) => right.points - left.points);
}
