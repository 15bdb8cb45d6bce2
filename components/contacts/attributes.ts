/** One custom attribute as it is edited: its value as text. */
export interface AttributeRow {
  key: string;
  text: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A value as text that `attributeValue` reads back as the same value: `pro`, `42`, `"42"`, `{"a":1}`. */
export function attributeText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const misread = parsed(value.trim()) !== undefined || value.trim() !== value || value === "";
  return misread ? JSON.stringify(value) : value;
}

/** Numbers, true, false and JSON are what they say; everything else is text. */
export function attributeValue(text: string): unknown {
  const trimmed = text.trim();
  return parsed(trimmed) ?? trimmed;
}

/** The PATCH that turns `before` into the rows: changed and new keys, null for removed ones. */
export function attributeChanges(
  before: Readonly<Record<string, unknown>>,
  rows: readonly AttributeRow[],
): Record<string, unknown> {
  const wanted = new Map(rows.map(({ key, text }) => [key.trim(), text]));
  wanted.delete("");
  const changed = [...wanted].filter(
    ([key, text]) => !Object.hasOwn(before, key) || attributeText(before[key]) !== text,
  );
  const removed = Object.keys(before).filter((key) => !wanted.has(key));
  return Object.fromEntries([
    ...changed.map(([key, text]) => [key, attributeValue(text)] as const),
    ...removed.map((key) => [key, null] as const),
  ]);
}
