/** The colour of readable text on `#rrggbb`, decided by what WCAG 2.2 calls relative luminance. */
export function inkOn(color: string): string {
  const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((share) =>
    share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

/** Of the buttons on recipients' pages, where neither the project nor the form has a colour of its own. */
export const standardColor = "#c4351a";
