import { t } from "@/lib/ground/texts/t";

/** `every second`, `every 30 seconds`, `every minute`, `every 5 minutes`. */
export function intervalWords(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds % 60 === 0
    ? t("{count, plural, one {every minute} other {every # minutes}}", { count: seconds / 60 })
    : t("{count, plural, one {every second} other {every # seconds}}", { count: seconds });
}
