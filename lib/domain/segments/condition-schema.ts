/** How many emails a person was sent, opened and so on: fields that take a period and a campaign. */
export const countFields = [
  "sentEmails",
  "openedEmails",
  "clickedEmails",
  "bouncedEmails",
] as const;
export type CountField = (typeof countFields)[number];
export const isCountField = (field: string): field is CountField =>
  (countFields as readonly string[]).includes(field);
/** The largest number of emails to ask for. */
export const mostCounted = 1000;

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
  ...countFields,
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
  "at_least",
  "at_most",
] as const;
export type SegmentOperator = (typeof segmentOperators)[number];

/** Operators that count time back from when the filter is used: they take days or hours instead of a value. */
export const periodOperators: readonly SegmentOperator[] = [
  "in_last",
  "not_in_last",
  "before_last",
];
export const isPeriodOperator = (op: SegmentOperator) => periodOperators.includes(op);
/** Days or hours: ten years of days. */
export const mostOfUnit = 3650;

export const affixOperators: readonly SegmentOperator[] = ["starts_with", "ends_with"];
export const textFields = ["email", "firstName", "lastName"];
export const timeFields = [
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
export const dataField = /^data(\.[^.]+)+$/;
export const campaignField = new RegExp(`^campaign\\.cmp_${crockford}$`);
export const listId = new RegExp(`^lst_${crockford}$`);

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
