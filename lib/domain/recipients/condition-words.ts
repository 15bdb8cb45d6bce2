import { isCountField } from "@/lib/domain/segments/condition-schema";
import { countWords, lastPeriod, longAgo, whenCounted } from "@/lib/domain/segments/names";
import type { SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";

const fieldNames: Record<string, string> = {
  email: "The address",
  firstName: "The first name",
  lastName: "The last name",
  createdAt: "The time they were added",
  updatedAt: "The time they were last changed",
  lastSentAt: "The time of the last email sent to them",
  lastOpenedAt: "The time they last opened an email",
  lastClickedAt: "The time they last clicked in an email",
  lastSeenAt: "The time they last opened or clicked an email",
  engagementScore: "Their engagement score",
  inactiveDays: "The number of days without an open or click",
  ignoredEmails: "The number of emails left unread in 180 days",
};

const relations: Record<string, string> = {
  eq: "must be",
  neq: "must not be",
  contains: "must contain",
  not_contains: "must not contain",
  gt: "must be more than",
  lt: "must be less than",
  in: "must be one of",
  starts_with: "must start with",
  ends_with: "must end with",
};

const doings: Record<string, string> = {
  sent: "been sent",
  delivered: "received",
  opened: "opened",
  clicked: "clicked in",
  bounced: "bounced in",
  complained: "reported as spam",
  unsubscribed: "unsubscribed through",
  not_opened: "been sent and not opened",
  not_clicked: "been sent and not clicked in",
};

function shown(value: unknown): string {
  if (typeof value === "string") return `“${value}”`;
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "boolean") return value ? "true" : "false";
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

const listed = (values: readonly string[]) =>
  values.length < 2
    ? (values[0] ?? "")
    : `${values.slice(0, -1).join(", ")} or ${values.at(-1) ?? ""}`;

/** A condition that somebody fails, in a sentence. `nameOf` gives the name of a list or campaign by its wire id. */
export function conditionWords(
  condition: SegmentFilter,
  actual: unknown,
  nameOf: (id: string) => string,
): string {
  const { field = "", op = "eq", value } = condition;
  const values: SegmentScalar[] = [value ?? []].flat();
  const isNegative = op === "neq" || op === "not_contains" || (op === "exists" && value === false);
  if (field === "list") {
    const lists =
      op === "exists" ? "a list" : `the list ${listed(values.map((id) => nameOf(String(id))))}`;
    return isNegative
      ? `They must not be on ${lists}, and are.`
      : `They must be on ${lists}, and are not.`;
  }
  if (field.startsWith("campaign.")) {
    const campaign = `the campaign ${nameOf(field.slice("campaign.".length))}`;
    const did =
      op === "exists"
        ? "been in the audience of"
        : listed(values.map((outcome) => doings[String(outcome)] ?? String(outcome)));
    return isNegative
      ? `They must not have ${did} ${campaign}, and have.`
      : `They must have ${did} ${campaign}, and have not.`;
  }
  if (field === "subscribed") {
    const wantsSubscribed = values.map(String).includes("true") !== isNegative;
    return wantsSubscribed
      ? "They must be subscribed, and are not."
      : "They must not be subscribed, and are.";
  }
  if (isCountField(field)) {
    const { campaign } = condition;
    const of = campaign === undefined ? "" : ` of the campaign ${nameOf(campaign)}`;
    const must = countWords(field, condition, { have: true, of });
    const actually = typeof actual === "number" && actual > 0 ? String(actual) : "none";
    return `They must have ${must}${whenCounted(condition, String)}, and it is ${actually}.`;
  }
  const name = fieldNames[field] ?? (field === "tags" ? "Their tags" : field);
  const verb = field === "tags" ? "are" : "is";
  const is = hasNothing(actual)
    ? field === "tags"
      ? "there are none"
      : "there is none"
    : `${verb} ${shown(actual)}`;
  if (op === "exists")
    return isNegative ? `${name} must not be set, and ${is}.` : `${name} must be set, and ${is}.`;
  if (op === "in_last") return `${name} must be in ${lastPeriod(condition)}, and ${is}.`;
  if (op === "not_in_last") return `${name} must not be in ${lastPeriod(condition)}, and ${is}.`;
  if (op === "before_last") return `${name} must be ${longAgo(condition)}, and ${is}.`;
  return `${name} ${relations[op] ?? op} ${listed(values.map(shown))}, and ${is}.`;
}

const hasNothing = (actual: unknown) =>
  actual === null ||
  actual === undefined ||
  actual === "" ||
  (Array.isArray(actual) && actual.length === 0);
