import {
  isCountField,
  isPeriodOperator,
  type SegmentOperator,
} from "@/lib/domain/segments/condition-schema";
import type {
  SegmentField,
  SegmentFieldKind,
  SegmentFilter,
  SegmentScalar,
} from "@/lib/domain/segments/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const names: Record<string, string> = phrases({
  email: "Email address",
  firstName: "First name",
  lastName: "Last name",
  subscribed: "Subscription",
  tags: "Tags",
  list: "List",
  createdAt: "Added",
  updatedAt: "Last changed",
  lastSentAt: "Last sent to",
  lastOpenedAt: "Last opened",
  lastClickedAt: "Last clicked",
  lastSeenAt: "Last seen",
  engagementScore: "Engagement score",
  inactiveDays: "Days without an open or click",
  ignoredEmails: "Unread emails in 180 days",
  sentEmails: "Emails sent to them",
  openedEmails: "Emails opened",
  clickedEmails: "Emails clicked in",
  bouncedEmails: "Emails bounced",
});

/** A field as people call it: `data.plan` is `plan`. */
export function fieldName(field: string, label?: string): string {
  if (field.startsWith("campaign."))
    return label ? t("Campaign “{label}”", { label }) : t("A campaign");
  return names[field] ?? field.replace(/^data\./, "");
}

/** The project's field, or what is known about one that its contacts no longer have. */
export function findField(fields: readonly SegmentField[], field: string): SegmentField {
  const listedField = fields.find((candidate) => candidate.field === field);
  return (
    listedField ?? { field, kind: field.startsWith("campaign.") ? "outcome" : "text", values: [] }
  );
}

/** An operator as the builder offers it: `missing` is `exists` with false. */
export type Choice = SegmentOperator | "missing";

const words: Record<SegmentFieldKind, Partial<Record<Choice, string>>> = phrases({
  text: {
    eq: "is",
    neq: "is not",
    contains: "contains",
    not_contains: "does not contain",
    starts_with: "starts with",
    ends_with: "ends with",
    in: "is one of",
    exists: "is known",
    missing: "is not known",
  },
  number: {
    eq: "is",
    neq: "is not",
    gt: "is more than",
    lt: "is less than",
    in: "is one of",
    exists: "is known",
    missing: "is not known",
  },
  boolean: { eq: "is", neq: "is not", exists: "is known", missing: "is not known" },
  date: {
    in_last: "in the last",
    not_in_last: "not in the last",
    before_last: "longer ago than",
    gt: "after",
    lt: "before",
    exists: "at any time",
    missing: "never",
  },
  members: {
    contains: "has",
    not_contains: "does not have",
    in: "has one of",
    exists: "has any",
    missing: "has none",
  },
  list: { eq: "is", neq: "is not", in: "is one of", exists: "is any", missing: "is none" },
  count: { at_least: "at least", at_most: "at most", eq: "exactly" },
  outcome: { eq: "was", neq: "was not", in: "was one of" },
});

const always = new Set(["createdAt", "updatedAt"]);

/** What can be asked of a field, the usual first; `current` is included even if it does not fit. */
export function choicesFor(
  { field, kind }: Pick<SegmentField, "field" | "kind">,
  current: Choice,
): { value: Choice; label: string }[] {
  const fitting = Object.entries(words[kind]).filter(
    ([choice]) =>
      !(field === "subscribed" && choice !== "eq") &&
      !(always.has(field) && (choice === "exists" || choice === "missing")),
  ) as [Choice, string][];
  const isOffered = fitting.some(([choice]) => choice === current);
  const foreign = {
    eq: t("is exactly"),
    neq: t("is not exactly"),
    gt: t("is over"),
    lt: t("is under"),
  } as const;
  const more: [Choice, string][] = isOffered
    ? []
    : [[current, { ...words.count, ...words.date, ...words.text, ...foreign }[current] ?? current]];
  return [...fitting, ...more].map(([value, label]) => ({ value, label }));
}

/** The choice that a condition stands for. */
export function choiceOf({ op, value }: SegmentFilter): Choice {
  return op === "exists" && value === false ? "missing" : (op ?? "eq");
}

const usualDays = 30;
/** What a number of emails may say; those that are there have to be filled in. */
const countKeys = ["value", "days", "hours", "from", "to"] as const;

/** A condition with another operator; its value or period is kept where it still fits. */
export function withChoice(condition: SegmentFilter, choice: Choice): SegmentFilter {
  const { field, value } = condition;
  if (field !== undefined && isCountField(field)) {
    const isChosen = typeof value === "number" && (value > 0 || choice !== "at_least");
    return { ...condition, op: choice === "missing" ? "eq" : choice, value: isChosen ? value : 1 };
  }
  if (choice !== "missing" && isPeriodOperator(choice)) {
    const { days, hours } = condition;
    return { field, op: choice, ...(hours ? { hours } : { days: days ?? usualDays }) };
  }
  if (choice === "exists" || choice === "missing") {
    return { field, op: "exists", value: choice === "exists" };
  }
  const values = [condition.op === "exists" ? [] : (value ?? [])]
    .flat()
    .filter((entry) => entry !== "");
  return { field, op: choice, value: choice === "in" ? values : (values[0] ?? "") };
}

/** A new condition on a field: still to be filled in, except where there are few values. */
export function newCondition({ field, kind, values }: SegmentField): SegmentFilter {
  const op = choicesFor({ field, kind }, "eq")[0]?.value ?? "eq";
  if (kind === "count") return { field, op: "at_least", value: 1, days: usualDays };
  const chosen = kind === "boolean" || kind === "list" || kind === "outcome";
  return withChoice({ field, op: "eq", value: chosen ? (values[0]?.value ?? "") : "" }, op);
}

/** What was typed as a value of the field's kind: a number where it is one. */
export function readValue(kind: SegmentFieldKind, text: string): SegmentScalar {
  const number = Number(text);
  return kind === "number" && text.trim() !== "" && Number.isFinite(number) ? number : text;
}

/** Places of conditions whose value is still missing, as `filter.and[0].value`. */
export function openPlaces(filter: SegmentFilter, at = "filter"): string[] {
  const { and, or, op, value, days, hours } = filter;
  const group = and ?? or;
  if (group) {
    return group.flatMap((part, index) =>
      openPlaces(part, `${at}.${and ? "and" : "or"}[${index}]`),
    );
  }
  if (op && isPeriodOperator(op)) {
    const unit = "hours" in filter ? "hours" : "days";
    return (days ?? hours) === undefined ? [`${at}.${unit}`] : [];
  }
  if (isCountField(filter.field ?? "")) {
    return countKeys
      .filter((key) => key in filter && [undefined, ""].includes(filter[key] as string))
      .map((key) => `${at}.${key}`);
  }
  const values = [value ?? []].flat();
  return op !== "exists" && (values.length === 0 || values.includes("")) ? [`${at}.value`] : [];
}
