/** Other people's words as Postgres can store them: without NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
