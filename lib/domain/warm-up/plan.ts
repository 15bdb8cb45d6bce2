import type { warmups } from "@/db/schema";
import type { WarmupSummary } from "./schema";

/*
 * What a plan says about a day. Days are UTC days, written as dates. each new day the plan moves on
 * by one a slowed day the day's cap is halved (twice, where it is bad), and the plan stands still a
 * day after that one halving is taken back, until the plan moves on 30 idle days the plan begins
 * again
 */

export type WarmupRow = typeof warmups.$inferSelect;
type Plan = Pick<
  WarmupRow,
  "enabled" | "schedule" | "startedOn" | "lag" | "slowed" | "slowedAt" | "rolledOn"
>;

/** An hour gets at most a day's cap divided by this. */
const hoursOfCap = 10;
/** An hour's mail leaves in steps of this many minutes, not all within a minute. */
const stepMinutes = 5;
export const mostHalvings = 3;
const idleDays = 30;
const dayMilliseconds = 86_400_000;

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
/** Days from one to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMilliseconds);
export const addDays = (day: string, days: number): string =>
  toDay(Date.parse(day) + days * dayMilliseconds);

/** The plan's day, from 0. */
const positionOn = (plan: Plan, day: string): number =>
  Math.max(0, daysBetween(plan.startedOn, day) - plan.lag);

/** Emails that may leave on that day, as far as is known now; null: as many as there are. */
export function capOn(plan: Plan, day: string): number | null {
  if (!plan.enabled) return null;
  const planned = plan.schedule[positionOn(plan, day)];
  if (planned === undefined) return null;
  return Math.max(1, Math.floor(planned / 2 ** plan.slowed));
}

export function hourlyCapOf(cap: number): number {
  return Math.ceil(cap / hoursOfCap);
}

/** How much of an hour's share may have left by a minute of the hour: a twelfth more every five minutes. */
export function shareByMinute(share: number, minute: number): number {
  return Math.ceil((share * (Math.floor(minute / stepMinutes) + 1)) / (60 / stepMinutes));
}

/** The day after which nothing is held back any longer, as things stand. */
export function lastDayOf(plan: Plan): string {
  return addDays(plan.startedOn, plan.schedule.length - 1 + plan.lag);
}

/** How the plan stands on that day, without counting anything. */
export function summaryOf(stored: Plan | null, day: string): WarmupSummary {
  if (!stored?.enabled) {
    const startedOn = stored?.startedOn ?? null;
    return { enabled: false, state: "off", startedOn, day: null, dailyCap: null };
  }
  const plan = { ...stored, ...rolledOver(stored, day) };
  const { startedOn } = plan;
  const dailyCap = capOn(plan, day);
  if (dailyCap === null) return { enabled: true, state: "done", startedOn, day: null, dailyCap };
  return {
    enabled: true,
    state: plan.slowed > 0 ? "slowed" : "warming",
    startedOn,
    day: positionOn(plan, day) + 1,
    dailyCap,
  };
}

/** What changes in the row when a new day comes. */
export function rolledOver(plan: Plan, day: string): Partial<WarmupRow> {
  let { lag, slowed } = plan;
  for (let past = plan.rolledOn; past < day && slowed > 0; past = addDays(past, 1)) {
    lag++;
    if (!plan.slowedAt || toDay(plan.slowedAt.getTime()) < past) slowed--;
  }
  const healed = slowed === 0 && plan.slowed > 0;
  return {
    lag,
    slowed,
    rolledOn: day > plan.rolledOn ? day : plan.rolledOn,
    ...(healed ? { slowedReason: null, slowedMessage: null } : {}),
  };
}

/** A domain that was silent for that long is new to its receivers again: the plan starts over. */
export function startedAgain(lastMailOn: string, day: string): Partial<WarmupRow> | null {
  if (daysBetween(lastMailOn, day) <= idleDays) return null;
  return { startedOn: day, lag: 0, slowed: 0, slowedReason: null, slowedMessage: null };
}
