/** Whether a text matches a pattern: the parts between its stars all occur, in that order. */
function fits(pattern: string, letters: string): boolean {
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  if (!letters.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return letters === first;
  let at = first.length;
  for (const part of parts) {
    const index = letters.indexOf(part, at);
    if (index < 0) return false;
    at = index + part.length;
  }
  return letters.length - last.length >= at && letters.endsWith(last);
}

function matches(pattern: string, address: string): boolean {
  const [at, patternAt] = [address.lastIndexOf("@"), pattern.lastIndexOf("@")];
  const domain = pattern.slice(patternAt + 1);
  if (domain !== "" && domain !== address.slice(at + 1)) return false;
  return fits(pattern.slice(0, patternAt), address.slice(0, at));
}

/**
 * How specific a pattern is: one with a domain comes before one for all domains, then the number of letters
 * decides.
 */
function weightOf(pattern: string): number {
  return (pattern.endsWith("@") ? 0 : 1_000) + pattern.replaceAll("*", "").length;
}

/** The most specific of the patterns that match an address; null when none does. */
export function patternFor(patterns: readonly string[], address: string): string | null {
  const lower = address.toLowerCase();
  return (
    patterns
      .filter((pattern) => matches(pattern, lower))
      .toSorted((left, right) => weightOf(right) - weightOf(left) || (left < right ? -1 : 1))[0] ??
    null
  );
}
