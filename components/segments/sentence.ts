import type { SegmentField, SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";
import { fullDay } from "@/components/ui/dates";
import { choiceOf, fieldName, findField, type Choice } from "./fields";

function valueWord(field: SegmentField, value: SegmentScalar): string {
  if (value === "") return "…";
  const label = field.values.find((choice) => choice.value === value)?.label;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (field.kind === "date" && /^\d{4}-\d\d-\d\d$/.test(value)) {
    const time = new Date(value);
    if (!Number.isNaN(time.getTime())) return fullDay(time, "UTC");
  }
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
  not_opened: ["got and did not open", "did not leave unopened"],
  not_clicked: ["got and did not click in", "did not leave unclicked"],
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

const events: Record<string, [since: string, ever: string, never: string]> = {
  createdAt: ["were added", "", ""],
  updatedAt: ["were last changed", "", ""],
  lastSentAt: ["were last sent mail", "were sent mail at some time", "were never sent mail"],
  lastOpenedAt: ["last opened mail", "have opened mail", "have never opened mail"],
  lastClickedAt: ["last clicked a link", "have clicked a link", "have never clicked a link"],
  lastSeenAt: [
    "last opened mail or clicked a link",
    "have opened mail or clicked a link",
    "have never opened mail or clicked a link",
  ],
};

const comparisons: Record<Choice, string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  not_contains: "does not contain",
  gt: "is more than",
  lt: "is less than",
  in: "is",
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
  const event = events[field.field];
  if (event) {
    if (any) return `who ${event[negative ? 2 : 1]}`;
    const relation = { gt: "after", lt: "before" }[choice as string] ?? comparisons[choice];
    return `who ${event[0]} ${relation} ${values}`;
  }
  const measure = measures[field.field];
  if (measure && !any) return measure(`${amounts[choice] ?? ""}${values}`);
  const name = fieldName(field.field).replace(
    /^[EFL](?=mail address|irst name|ast name)/,
    (letter) => letter.toLowerCase(),
  );
  const comparison =
    field.kind === "date" && (choice === "gt" || choice === "lt")
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
