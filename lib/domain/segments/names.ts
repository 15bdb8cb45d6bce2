import { counted } from "@/lib/ground/amount";
import type { CountField } from "./condition-schema";
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

/** ` in the last 30 days`, ` from 2026-01-01 to 2026-03-31`; nothing for ever. `day` writes a date. */
export function whenCounted(filter: SegmentFilter, day: (text: string) => string): string {
  const { from, to } = filter;
  if ("days" in filter || "hours" in filter) return ` in ${lastPeriod(filter)}`;
  const since = from === undefined ? "" : ` from ${day(from)}`;
  return to === undefined ? since : `${since} to ${day(to)}`;
}

const verbs: Record<
  CountField,
  [did: (emails: string) => string, have: (emails: string) => string]
> = {
  sentEmails: [(emails) => `were sent ${emails}`, (emails) => `been sent ${emails}`],
  openedEmails: [(emails) => `opened ${emails}`, (emails) => `opened ${emails}`],
  clickedEmails: [(emails) => `clicked in ${emails}`, (emails) => `clicked in ${emails}`],
  bouncedEmails: [(emails) => `had ${emails} bounce`, (emails) => `had ${emails} bounce`],
};

/** `opened at least 3 emails`, or with `have`, `been sent no email`; `of` says of which campaign. */
export function countWords(
  field: CountField,
  { op, value }: SegmentFilter,
  { have = false, of = "" }: { have?: boolean; of?: string } = {},
): string {
  const amount = typeof value === "number" ? value : null;
  const number = amount === null ? "… emails" : counted(amount, "email");
  const emails =
    amount === 0
      ? "no email"
      : op === "eq"
        ? `exactly ${number}`
        : `${op === "at_most" ? "at most" : "at least"} ${number}`;
  return verbs[field][have ? 1 : 0](`${emails}${of}`);
}
