const channels = (colour: string) =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** A mix of two colours; `share` of the second, 0 to 1. */
export function mixed(first: string, second: string, share: number): string {
  const other = channels(second);
  return `#${channels(first)
    .map((value, index) => Math.round(value + ((other[index] ?? value) - value) * share))
    .map((value) => value.toString(16).padStart(2, "0"))
    .join("")}`;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2 contrast, 1 to 21. */
export function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort(
    (left, right) => left - right,
  );
  return (lighter + 0.05) / (darker + 0.05);
}
