import { readFileSync } from "node:fs";

const messagesOf = (code: string) =>
  Object.values(
    JSON.parse(readFileSync(`lib/ground/texts/languages/${code}.json`, "utf8")) as Record<
      string,
      string
    >,
  );

/** What stands between the values of a message: whole words, in the order they are written. */
function piecesOf(message: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let piece = "";
  for (const sign of `${message.replaceAll(/<\/?b>/g, "{}")}{}`) {
    if (sign === "{" && depth++ === 0) {
      pieces.push(piece.trim());
      piece = "";
    } else if (sign === "}") depth--;
    else if (depth === 0) piece += sign;
  }
  return pieces;
}

/** Pieces of English sentences that the language words differently, long enough not to be names. */
export function englishForeignTo(code: string): string[] {
  const own = new Set(messagesOf(code).flatMap(piecesOf));
  return [...new Set(messagesOf("en").flatMap(piecesOf))].filter(
    (piece) => piece.length > 10 && /\s/.test(piece) && !own.has(piece),
  );
}
