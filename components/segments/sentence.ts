import type { SegmentField, SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";
import { fullDay } from "@/components/ui/dates";
import { isCountField, isPeriodOperator } from "@/lib/domain/segments/condition-schema";
import { countWords, lastPeriod, longAgo, whenCounted } from "@/lib/domain/segments/names";
import { choiceOf, fieldName, findField, type Choice } from "./fields";

/** A plain date as people write it; null for anything else. */
function dayOf(text: string): string | null {
  const time = new Date(text);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time.getTime());
  return isDay ? fullDay(time, "UTC") : null;
}

/** Whether a condition is about a day: the list of segments does not know the kinds of custom fields. */
function isAboutDay({ field, kind }: SegmentField, value: unknown): boolean {
  const custom = field.startsWith("data.") && typeof value === "string" && dayOf(value) !== null;
  return kind === "date" || custom;
}

function valueWord(field: SegmentField, value: SegmentScalar): string {
  if (value === "") return "…";
  const label = field.values.find((choice) => choice.value === value)?.label;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  const day = isAboutDay(field, value) ? dayOf(value) : null;
  if (day) return day;
  return `“${label ?? value}”`;
}

const outcomes: Record<string, [did: string, didNot: string]> = {
  sent: ["were sent", "were not sent"],
  opened: ["opened", "did not open"],
  clicked: ["clicked in", "did not click in"],
  bounced: ["bounced in", "did not bounce in"],
  delivered: ["received", "did not receive"],
  complained: ["reported as spam", "did not report as spam"],
  unsubscribed: ["unsubscribed through", "did not unsubscribe through"],
  not_opened: ["were sent and did not open", "did not leave unopened"],
  not_clicked: ["were sent and did not click in", "did not leave unclicked"],
};

/** Numbers derived from mail. */
const measures: Record<string, (amount: string) => string> = {
  engagementScore: (amount) => `whose engagement score is ${amount}`,
  inactiveDays: (amount) => `who have not opened or clicked for ${amount} days`,
  ignoredEmails: (amount) => `who left ${amount} emails of the last 180 days unread`,
};

const amounts: Partial<Record<Choice, string>> = {
  gt: "more than ",
  lt: "less than ",
  neq: "other than ",
};

interface EventWords {
  /** Before a date, or how long ago. */
  since: string;
  ever: string;
  never: string;
  /** Before a period. */
  did: string;
  didNot: string;
}

const events: Record<string, EventWords> = {
  createdAt: {
    since: "were added",
    ever: "were added at some time",
    never: "were never added",
    did: "were added",
    didNot: "were not added",
  },
  updatedAt: {
    since: "were last changed",
    ever: "were changed at some time",
    never: "were never changed",
    did: "were changed",
    didNot: "were not changed",
  },
  lastSentAt: {
    since: "were last sent mail",
    ever: "were sent mail at some time",
    never: "were never sent mail",
    did: "were sent mail",
    didNot: "were not sent mail",
  },
  lastOpenedAt: {
    since: "last opened mail",
    ever: "have opened mail",
    never: "have never opened mail",
    did: "opened mail",
    didNot: "have not opened mail",
  },
  lastClickedAt: {
    since: "last clicked a link",
    ever: "have clicked a link",
    never: "have never clicked a link",
    did: "clicked a link",
    didNot: "have not clicked a link",
  },
  lastSeenAt: {
    since: "last opened mail or clicked a link",
    ever: "have opened mail or clicked a link",
    never: "have never opened mail or clicked a link",
    did: "opened mail or clicked a link",
    didNot: "have not opened mail or clicked a link",
  },
};

const comparisons: Record<Choice, string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  gt: "is more than",
  lt: "is less than",
  in: "is",
  at_least: "is at least",
  at_most: "is at most",
  in_last: "is in",
  not_in_last: "is not in",
  before_last: "is",
  exists: "is known",
  missing: "is not known",
};

/** `who are subscribed`, `whose plan is “pro”`. */
function clause(condition: SegmentFilter, fields: readonly SegmentField[]): string {
  const { value } = condition;
  const field = findField(fields, condition.field ?? "");
  const choice = choiceOf(condition);
  const words = [value ?? []].flat().map((scalar) => valueWord(field, scalar));
  const values =
    words.length < 2 ? (words[0] ?? "…") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  const negative = choice === "neq" || choice === "not_contains" || choice === "missing";
  const any = choice === "exists" || choice === "missing";
  if (field.field === "subscribed") {
    return (value === false) === negative ? "who are subscribed" : "who are not subscribed";
  }
  if (field.field === "tags" && choice !== "gt" && choice !== "lt") {
    if (any) return negative ? "who have no tag" : "who have a tag";
    return `who ${negative ? "do not have" : "have"} the tag ${values}`;
  }
  if (field.field === "list" && choice !== "gt" && choice !== "lt") {
    if (any) return negative ? "who are on no list" : "who are on a list";
    return `who are ${negative ? "not " : ""}on the list ${values}`;
  }
  if (field.kind === "outcome") {
    const campaign = fieldName(field.field, field.label).replace(/^C/, "the c").replace(/^A/, "a");
    const does = [value ?? []]
      .flat()
      .map((outcome) => outcomes[String(outcome)]?.[negative ? 1 : 0]);
    const verbs = any ? [negative ? "were not part of" : "were part of"] : does;
    return `who ${verbs.map((verb) => verb ?? "…").join(negative ? " and " : " or ")} ${campaign}`;
  }
  if (isCountField(field.field)) {
    const { campaign } = condition;
    const { label } = findField(fields, `campaign.${campaign}`);
    const of =
      campaign === undefined ? "" : ` of ${label ? `the campaign “${label}”` : "a campaign"}`;
    const when = whenCounted(condition, (text) => dayOf(text) ?? (text || "…"));
    return `who ${countWords(field.field, condition, { of })}${when}`;
  }
  const event = events[field.field];
  if (event) {
    if (choice === "in_last") return `who ${event.did} in ${lastPeriod(condition)}`;
    if (choice === "not_in_last") return `who ${event.didNot} in ${lastPeriod(condition)}`;
    if (choice === "before_last") return `who ${event.since} ${longAgo(condition)}`;
    if (any) return `who ${negative ? event.never : event.ever}`;
    const relation = { gt: "after", lt: "before" }[choice as string] ?? comparisons[choice];
    return `who ${event.since} ${relation} ${values}`;
  }
  const measure = measures[field.field];
  if (measure && !any) return measure(`${amounts[choice] ?? ""}${values}`);
  const name = fieldName(field.field).replace(
    /^[EFL](?=mail address|irst name|ast name)/,
    (letter) => letter.toLowerCase(),
  );
  if (choice !== "missing" && isPeriodOperator(choice)) {
    const period = choice === "before_last" ? longAgo(condition) : lastPeriod(condition);
    return `whose ${name} ${comparisons[choice]} ${period}`;
  }
  const comparison =
    isAboutDay(field, value) && (choice === "gt" || choice === "lt")
      ? `is ${choice === "gt" ? "after" : "before"}`
      : comparisons[choice];
  return `whose ${name} ${comparison}${any ? "" : ` ${values}`}`;
}

function group({ and, or }: SegmentFilter, fields: readonly SegmentField[], top: boolean): string {
  const parts = (and ?? or ?? []).map((part) => {
    const inner = part.and ?? part.or;
    return inner ? group(part, fields, false) : clause(part, fields);
  });
  if (parts.length === 0) return "who match no condition in particular";
  const text = parts.join(and ? " and " : " or ");
  return top || parts.length === 1 ? text : `(${text})`;
}

/** What a filter means, in a sentence: `People who are subscribed and whose plan is “pro”.` */
export function sentence(filter: SegmentFilter, fields: readonly SegmentField[]): string {
  const parts = filter.and ?? filter.or;
  // A condition may stand alone, without a group around it.
  if (!parts && filter.field) return `People ${clause(filter, fields)}.`;
  if (!parts || parts.length === 0) return "Everybody.";
  return `People ${group(filter, fields, true)}.`;
}
