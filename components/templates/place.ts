/** Where a template does not parse, read from the API's words; null when they name no place. */
export function faultPlace(message: string | null): { line: number; column: number } | null {
  const position = /line (\d+), column (\d+)/.exec(message ?? "");
  return position ? { line: Number(position[1]), column: Number(position[2]) } : null;
}

/** The index in `text` of a line and column, both from 1; its end when it is shorter. */
export function indexAt(text: string, place: { line: number; column: number }): number {
  const lines = text.split("\n");
  const before = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return Math.min(text.length, before + place.column - 1);
}
