import type { Database } from "@/db/client";
import { counted } from "@/lib/ground/amount";
import { AppError } from "@/lib/ground/errors";
import { callerSubject, takeFromRate, type RateRule } from "@/lib/ground/rate-limit";

const quarterHour = 15 * 60;

/** Counts against every rule; throws RATE_LIMIT_EXCEEDED when any of them is used up. */
export async function limitAttempts(db: Database, rules: RateRule[]): Promise<void> {
  const states = await Promise.all(rules.map((rule) => takeFromRate(db, rule)));
  const refused = states.filter(({ allowed }) => !allowed);
  if (refused.length === 0) return;
  const minutes = Math.ceil(Math.max(...refused.map((state) => state.retryAfterSeconds)) / 60);
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many attempts. Try again in ${counted(minutes, "minute")}.`,
  );
}

/**
 * Limits codes of the second factor per address and per user. Three of a million codes are good at a time, so
 * 30 an hour have a chance of 0.2 % a day of finding one; and only somebody with the first factor gets here.
 */
export function limitCodeAttempts(db: Database, userId: string, address: string): Promise<void> {
  return limitAttempts(db, [
    { subject: callerSubject("code", address), limit: 50, windowSeconds: quarterHour },
    { subject: callerSubject(`code:${userId}`, address), limit: 10, windowSeconds: quarterHour },
    { subject: `code:${userId}`, limit: 30, windowSeconds: 4 * quarterHour },
  ]);
}
