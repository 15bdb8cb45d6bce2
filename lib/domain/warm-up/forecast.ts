import { addDays, capOn, hourlyCapOf, rolledOver, type WarmupRow } from "./plan";
import type { Usage } from "./usage";

/** A plan that lasts longer than this is not followed to its end. */
const farthestDays = 1_000;
const hourMilliseconds = 3_600_000;

/**
 * When that many emails will have gone out, to the hour, if nothing is slowed down (again) and
 * transactional mail takes as much of each day as it does now. null: not for years.
 */
export function expectedEnd(
  plan: WarmupRow,
  at: Date,
  { emails, usage, transactional }: { emails: number; usage: Usage; transactional: number },
): Date | null {
  const hour = Math.floor(at.getTime() / hourMilliseconds) * hourMilliseconds;
  if (usage.leftToday === null || usage.leftThisHour === null || emails <= usage.leftThisHour) {
    return new Date(hour + hourMilliseconds);
  }
  let day = at.toISOString().slice(0, 10);
  let row = { ...plan, ...rolledOver(plan, day) };
  const today = capOn(row, day);
  const hoursLeft = 23 - at.getUTCHours();
  let left = emails;
  if (today !== null) {
    const share = hourlyCapOf(today);
    const later = Math.min(usage.leftToday - usage.leftThisHour, hoursLeft * share);
    if (left <= usage.leftThisHour + later) {
      return new Date(
        hour + (1 + Math.ceil((left - usage.leftThisHour) / share)) * hourMilliseconds,
      );
    }
    left -= Math.max(0, usage.leftThisHour + later);
  }
  for (let ahead = 1; ahead <= farthestDays; ahead++) {
    day = addDays(day, 1);
    row = { ...row, ...rolledOver(row, day) };
    const cap = capOn(row, day);
    const start = Date.parse(day);
    if (cap === null) return new Date(start + hourMilliseconds);
    const room = Math.max(0, cap - transactional);
    if (left <= room) {
      return new Date(start + Math.ceil(left / hourlyCapOf(cap)) * hourMilliseconds);
    }
    left -= room;
  }
  return null;
}
