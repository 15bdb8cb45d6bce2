import type { SegmentField, SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";
import { fullDay } from "@/components/ui/dates";
import { isCountField } from "@/lib/domain/segments/condition-schema";
import { anyOf, countedEmails, inLast, longAgo, whenCounted } from "@/lib/domain/segments/names";
import { phrases, t } from "@/lib/ground/texts/t";
import { amountWords, comparison, counts, events, measures, outcomes } from "./clauses";
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
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  const day = isAboutDay(field, value) ? dayOf(value) : null;
  if (day) return day;
  return t("“{value}”", { value: label ?? value });
}

/** How fields are called within a sentence, where that differs. */
const innerNames: Record<string, string> = phrases({
  email: "email address",
  firstName: "first name",
  lastName: "last name",
});

/** `in the last 30 days`, `after 1 Oct 2026`; null for what is no comparison of times. */
function whenOf(choice: Choice, condition: SegmentFilter, values: string): string | null {
  switch (choice) {
    case "in_last":
    case "not_in_last":
      return inLast(condition);
    case "before_last":
      return longAgo(condition);
    case "gt":
      return t("after {day}", { day: values });
    case "lt":
      return t("before {day}", { day: values });
    default:
      return null;
  }
}

/** `at least 3 emails of the campaign “Launch”` */
function emailsOf(condition: SegmentFilter, fields: readonly SegmentField[]): string {
  const { campaign } = condition;
  const emails = countedEmails(condition);
  if (campaign === undefined) return emails;
  const { label } = findField(fields, `campaign.${campaign}`);
  return label
    ? t("{emails} of the campaign “{campaign}”", { emails, campaign: label })
    : t("{emails} of a campaign", { emails });
}

/** `who were sent or opened the campaign “Launch”` */
function outcomeClause(
  { label }: SegmentField,
  { value }: SegmentFilter,
  { any, negative }: { any: boolean; negative: boolean },
): string {
  if (any) {
    if (label) {
      return negative
        ? t("who were not part of the campaign “{campaign}”", { campaign: label })
        : t("who were part of the campaign “{campaign}”", { campaign: label });
    }
    return negative ? t("who were not part of a campaign") : t("who were part of a campaign");
  }
  const each = [value ?? []]
    .flat()
    .map((outcome) => outcomes[String(outcome)]?.[negative ? 1 : 0] ?? "…");
  const did = each.length > 0 ? joined(each, negative ? "and" : "or") : "…";
  return label
    ? t("who {did} the campaign “{campaign}”", { did, campaign: label })
    : t("who {did} a campaign", { did });
}

/** `who are subscribed`, `whose plan is “pro”`. */
function clause(condition: SegmentFilter, fields: readonly SegmentField[]): string {
  const { value } = condition;
  const field = findField(fields, condition.field ?? "");
  const choice = choiceOf(condition);
  const values = anyOf([value ?? []].flat().map((scalar) => valueWord(field, scalar))) || "…";
  const negative = choice === "neq" || choice === "not_contains" || choice === "missing";
  const any = choice === "exists" || choice === "missing";
  if (field.field === "subscribed") {
    return (value === false) === negative ? t("who are subscribed") : t("who are not subscribed");
  }
  if (field.field === "tags" && choice !== "gt" && choice !== "lt") {
    if (any) return negative ? t("who have no tag") : t("who have a tag");
    return negative
      ? t("who do not have the tag {values}", { values })
      : t("who have the tag {values}", { values });
  }
  if (field.field === "list" && choice !== "gt" && choice !== "lt") {
    if (any) return negative ? t("who are on no list") : t("who are on a list");
    return negative
      ? t("who are not on the list {values}", { values })
      : t("who are on the list {values}", { values });
  }
  if (field.kind === "outcome") return outcomeClause(field, condition, { any, negative });
  if (isCountField(field.field)) {
    const emails = emailsOf(condition, fields);
    const period = whenCounted(condition, (text) => dayOf(text) ?? (text || "…"));
    const { ever, within } = counts[field.field];
    return period === null ? ever(emails) : within(emails, period);
  }
  const when = whenOf(choice, condition, values);
  const event = events[field.field];
  if (event && any) return negative ? event.never() : event.ever();
  if (event && when !== null) {
    if (choice === "in_last") return event.did(when);
    return choice === "not_in_last" ? event.didNot(when) : event.last(when);
  }
  const measure = measures[field.field];
  if (measure && !any) return measure(amountWords(choice, values));
  const name = innerNames[field.field] ?? fieldName(field.field);
  const isTimed = (choice !== "gt" && choice !== "lt") || isAboutDay(field, value);
  if (when === null || !isTimed) return comparison(choice, { field: name, values });
  return choice === "not_in_last"
    ? t("whose {field} is not {when}", { field: name, when })
    : t("whose {field} is {when}", { field: name, when });
}

const joined = (parts: readonly string[], join: "and" | "or") =>
  parts.reduce((before, last) =>
    join === "and"
      ? t("{before} and {last}", { before, last })
      : t("{before} or {last}", { before, last }),
  );

function group({ and, or }: SegmentFilter, fields: readonly SegmentField[], top: boolean): string {
  const parts = (and ?? or ?? []).map((part) => {
    const inner = part.and ?? part.or;
    return inner ? group(part, fields, false) : clause(part, fields);
  });
  if (parts.length === 0) return t("who match no condition in particular");
  const text = joined(parts, and ? "and" : "or");
  return top || parts.length === 1 ? text : `(${text})`;
}

/** What a filter means, in a sentence: `People who are subscribed and whose plan is “pro”.` */
export function sentence(filter: SegmentFilter, fields: readonly SegmentField[]): string {
  const parts = filter.and ?? filter.or;
  // A condition may stand alone, without a group around it.
  if (!parts && filter.field) return t("People {clauses}.", { clauses: clause(filter, fields) });
  if (!parts || parts.length === 0) return t("Everybody.");
  return t("People {clauses}.", { clauses: group(filter, fields, true) });
}
