import { nearestName } from "@/lib/ground/nearest-name";

/** What a filter can compare, in addition to `data.<key>` of any depth and `campaign.<id>`. */
export const segmentFields = [
  "email",
  "firstName",
  "lastName",
  "subscribed",
  "tags",
  "createdAt",
  "updatedAt",
  "list",
  "lastOpenedAt",
  "lastClickedAt",
  "lastSentAt",
  "lastSeenAt",
  "engagementScore",
  "inactiveDays",
  "ignoredEmails",
] as const;

export const segmentOperators = [
  "eq",
  "neq",
  "contains",
  "not_contains",
  "gt",
  "lt",
  "in",
  "exists",
  "starts_with",
  "ends_with",
  "in_last",
  "not_in_last",
  "before_last",
] as const;
export type SegmentOperator = (typeof segmentOperators)[number];

/** Operators that count time back from when the filter is used: they take days or hours instead of a value. */
const periodOperators: readonly SegmentOperator[] = ["in_last", "not_in_last", "before_last"];
export const isPeriodOperator = (op: SegmentOperator) => periodOperators.includes(op);
/** Days or hours: ten years of days. */
export const mostOfUnit = 3650;

const affixOperators: readonly SegmentOperator[] = ["starts_with", "ends_with"];
const textFields = ["email", "firstName", "lastName"];
const timeFields = [
  "createdAt",
  "updatedAt",
  "lastOpenedAt",
  "lastClickedAt",
  "lastSentAt",
  "lastSeenAt",
];

/** What a campaign's email came to, as values of `campaign.<id>`. */
export const campaignOutcomes = [
  "sent",
  "delivered",
  "opened",
  "clicked",
  "not_opened",
  "not_clicked",
  "bounced",
  "complained",
  "unsubscribed",
] as const;

const crockford = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const dataField = /^data(\.[^.]+)+$/;
const campaignField = new RegExp(`^campaign\\.cmp_${crockford}$`);
const listId = new RegExp(`^lst_${crockford}$`);

/**
 * `2026-11-21` or `2026-11-21T09:30[:00[.123456]][Z|+01:00]`, as Postgres and JavaScript both read it;
 * the caller checks that the year and day exist (a look-ahead would double Postgres's time).
 */
export const isoPattern =
  "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])" +
  "(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,6})?)?" +
  "(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?)?$";
const isoForm = new RegExp(isoPattern);

/**
 * The instant that an ISO date or date-time means, as text with an offset (UTC when it has none); null when it is
 * neither.
 */
export function isoInstant(text: string): string | null {
  if (!isoForm.test(text) || text < "0001") return null;
  const lastDay = new Date(`${text.slice(0, 7)}-01T00:00Z`);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  if (Number(text.slice(8, 10)) > lastDay.getUTCDate()) return null;
  if (text.length === 10) return `${text}T00:00Z`;
  return /(Z|[+-]\d\d:\d\d)$/.test(text.slice(10)) ? text : `${text}Z`;
}

/** A part of a filter as far as its fields have been checked one by one. */
interface Part {
  and?: readonly unknown[] | undefined;
  or?: readonly unknown[] | undefined;
  field?: string | undefined;
  op?: SegmentOperator | undefined;
  value?: unknown;
  days?: number | undefined;
  hours?: number | undefined;
}

type Fault = [path: string[], message: string];

/** What is wrong with a part, each with its place in it. */
export function conditionFaults(part: Part): Fault[] {
  const { and, or, field, op } = part;
  if (and || or) {
    if (and && or) return [[[], "has both `and` and `or`: put one inside the other"]];
    const { field, op, value, days, hours } = part;
    if ([field, op, value, days, hours].some((given) => given !== undefined)) {
      return [[[], "is both a group and a condition"]];
    }
    return or?.length === 0 ? [[["or"], "is empty"]] : [];
  }
  const problems: Fault[] = [];
  if (field === undefined) problems.push([["field"], "is required"]);
  else if (!isField(field)) problems.push([["field"], fieldFault(field)]);
  if (op === undefined) problems.push([["op"], "is required"]);
  if (field === undefined || op === undefined || problems.length > 0) return problems;
  return isPeriodOperator(op)
    ? periodFaults(part, field, op)
    : [...strayPeriod(part), ...valueFaults(field, op, part.value)];
}

function fieldFault(field: string): string {
  const nearest = nearestName(field, segmentFields);
  const allowed = `${segmentFields.join(", ")}, data.<key>, campaign.<id>`;
  return `is not one of ${allowed}${nearest ? `; did you mean ${nearest}?` : ""}`;
}

function isField(field: string): boolean {
  return (
    (segmentFields as readonly string[]).includes(field) ||
    dataField.test(field) ||
    campaignField.test(field)
  );
}

const strayPeriod = ({ days, hours }: Part): Fault[] =>
  Object.entries({ days, hours }).flatMap(([unit, amount]): Fault[] =>
    amount === undefined ? [] : [[[unit], `goes only with ${periodOperators.join(", ")}`]],
  );

function periodFaults({ value, days, hours }: Part, field: string, op: SegmentOperator): Fault[] {
  if (!timeFields.includes(field) && !dataField.test(field)) {
    return [[["op"], `does not apply to ${field}`]];
  }
  if (value !== undefined) return [[["value"], `does not go with ${op}: give days or hours`]];
  if (days === undefined && hours === undefined) return [[["days"], "is required, or hours"]];
  return days !== undefined && hours !== undefined
    ? [[["hours"], "cannot be combined with days"]]
    : [];
}

function valueFaults(field: string, op: SegmentOperator, value: unknown): Fault[] {
  if (op === "exists") {
    return value === undefined || typeof value === "boolean"
      ? []
      : [[["value"], "is not a boolean"]];
  }
  if (value === undefined) return [[["value"], "is required"]];
  if (op === "in" ? !Array.isArray(value) : Array.isArray(value)) {
    return [[["value"], op === "in" ? "is not a list" : "is a list, which only `in` accepts"]];
  }
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) return [[["value"], "is empty"]];
  if (affixOperators.includes(op)) {
    if (!textFields.includes(field) && !dataField.test(field)) {
      return [[["op"], `does not apply to ${field}`]];
    }
    return value === "" ? [[["value"], "is empty"]] : [];
  }
  const isList = field === "list";
  if (!isList && !field.startsWith("campaign.")) return [];
  if (op === "gt" || op === "lt") return [[["op"], `does not apply to ${field}`]];
  const isValid = (candidate: unknown) =>
    isList
      ? listId.test(String(candidate))
      : (campaignOutcomes as readonly unknown[]).includes(candidate);
  if (values.every(isValid)) return [];
  const wanted = isList
    ? "is not the id of a list"
    : `is not one of ${campaignOutcomes.join(", ")}`;
  return [[["value"], wanted]];
}
