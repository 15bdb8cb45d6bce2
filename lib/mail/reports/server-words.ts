import type { ServerWords } from "./address-fault";

const longestWords = 2_000;

/** A reply's code, with the enhanced code that follows it: `550 5.1.1`, `550-5.1.1`, `#5.1.1`. */
const replyCodes =
  /(?:^|[^\d.])([45]\d\d)(?:[ -]{1,2}#?([45]\.\d{1,3}\.\d{1,3})(?![\d.]))?(?![\d.])/;
const enhancedCodeAlone = /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** The codes in what a server said, and its words on one line. */
export function wordsIn(said: string): ServerWords {
  const text = said.replace(/\s+/g, " ").trim().slice(0, longestWords);
  const codes = replyCodes.exec(text);
  const enhancedCode = codes?.[2] ?? enhancedCodeAlone.exec(text)?.[1] ?? null;
  return { code: codes?.[1] ? Number(codes[1]) : null, enhancedCode, text };
}
