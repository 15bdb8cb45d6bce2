/** A number in a sentence: `12,345`. */
export const amount = (count: number) => count.toLocaleString("en");
