import { counted } from "@/lib/ground/amount";
import type { SegmentFilter } from "./schema";

type Period = Pick<SegmentFilter, "days" | "hours">;

const amountAndUnit = ({ days, hours }: Period): [amount: number | undefined, unit: string] =>
  hours === undefined ? [days, "day"] : [hours, "hour"];

/** `the last 30 days`, `the last hour` */
export function lastPeriod(period: Period): string {
  const [amount, unit] = amountAndUnit(period);
  if (amount === undefined) return "the last … days";
  return amount === 1 ? `the last ${unit}` : `the last ${counted(amount, unit)}`;
}

/** `more than 30 days ago` */
export function longAgo(period: Period): string {
  const [amount, unit] = amountAndUnit(period);
  return amount === undefined ? "more than … days ago" : `more than ${counted(amount, unit)} ago`;
}
