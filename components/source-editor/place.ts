import type { Text } from "@codemirror/state";

/** Line and column in a text, both from 1. */
export interface Place {
  line: number;
  column: number;
  /** How many characters belong to it, when that is known. */
  length?: number;
  /** What stands there. */
  excerpt?: string;
}

/** Where a template does not parse, read from the API's words; null when they name no place. */
export function faultPlace(message: string | null): Place | null {
  const position = /line (\d+), column (\d+)/.exec(message ?? "");
  return position ? { line: Number(position[1]), column: Number(position[2]) } : null;
}

/** The offset of a place in a text; its end when the text is shorter. */
export function offsetOf(text: Text, { line, column }: Place): number {
  if (line > text.lines) return text.length;
  return Math.min(text.length, text.line(line).from + column - 1);
}
