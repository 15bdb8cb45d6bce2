/* What the log's sentences read from an entry's details. */

export type Details = Readonly<Record<string, unknown>>;

/** What the thing's name replaces in a sentence. */
export const target = "{}";

export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A count that was recorded: older entries lack some. */
export const figure = (value: unknown): number | null => (typeof value === "number" ? value : null);
