/** `every second`, `every 30 seconds`, `every minute`, `every 5 minutes`. */
export function intervalWords(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const [amount, unit] = seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return amount === 1 ? `every ${unit}` : `every ${amount} ${unit}s`;
}
