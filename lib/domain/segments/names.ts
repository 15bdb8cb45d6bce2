import { counted } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";
import type { SegmentFilter } from "./schema";

type Period = Pick<SegmentFilter, "days" | "hours">;

/** `in the last 30 days`, `in the last hour` */
export function inLast({ days, hours }: Period): string {
  if (hours !== undefined) {
    return t("in the last {hours, plural, one {hour} other {# hours}}", { hours });
  }
  return days === undefined
    ? t("in the last … days")
    : t("in the last {days, plural, one {day} other {# days}}", { days });
}

/** `more than 30 days ago` */
export function longAgo({ days, hours }: Period): string {
  if (hours !== undefined) {
    return t("more than {hours, plural, one {# hour} other {# hours}} ago", { hours });
  }
  return days === undefined
    ? t("more than … days ago")
    : t("more than {days, plural, one {# day} other {# days}} ago", { days });
}

/** `in the last 30 days`, `from 2026-01-01 to 2026-03-31`; null for ever. `day` writes a date. */
export function whenCounted(filter: SegmentFilter, day: (text: string) => string): string | null {
  const { from, to } = filter;
  if ("days" in filter || "hours" in filter) return inLast(filter);
  if (from === undefined) return to === undefined ? null : t("to {lastDay}", { lastDay: day(to) });
  return to === undefined
    ? t("from {firstDay}", { firstDay: day(from) })
    : t("from {firstDay} to {lastDay}", { firstDay: day(from), lastDay: day(to) });
}

/** `at least 3 emails`, `no email` */
export function countedEmails({ op, value }: SegmentFilter): string {
  if (value === 0) return t("no email");
  const emails = typeof value === "number" ? counted(value, "email") : t("… emails");
  if (op === "eq") return t("exactly {emails}", { emails });
  return op === "at_most" ? t("at most {emails}", { emails }) : t("at least {emails}", { emails });
}

/** `“a”, “b” or “c”` of the quoted values. */
export const anyOf = (values: readonly string[]) =>
  values.length < 2
    ? (values[0] ?? "")
    : t("{values} or {last}", { values: values.slice(0, -1).join(", "), last: values.at(-1) });
