import { isCountField, type CountField } from "@/lib/domain/segments/condition-schema";
import { anyOf, countedEmails, inLast, longAgo, whenCounted } from "@/lib/domain/segments/names";
import type { SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const fieldNames: Record<string, string> = phrases({
  email: "The address",
  firstName: "The first name",
  lastName: "The last name",
  tags: "Their tags",
  createdAt: "The time they were added",
  updatedAt: "The time they were last changed",
  lastSentAt: "The time of the last email sent to them",
  lastOpenedAt: "The time they last opened an email",
  lastClickedAt: "The time they last clicked in an email",
  lastSeenAt: "The time they last opened or clicked an email",
  engagementScore: "Their engagement score",
  inactiveDays: "The number of days without an open or click",
  ignoredEmails: "The number of emails left unread in 180 days",
});

const doings: Record<string, string> = phrases({
  sent: "been sent",
  delivered: "received",
  opened: "opened",
  clicked: "clicked in",
  bounced: "bounced in",
  complained: "reported as spam",
  unsubscribed: "unsubscribed through",
  not_opened: "been sent and not opened",
  not_clicked: "been sent and not clicked in",
});

type CountFault = Readonly<Record<"emails" | "actual", string>>;

const countFaults: Record<
  CountField,
  {
    ever: (words: CountFault) => string;
    within: (words: CountFault & { period: string }) => string;
  }
> = {
  sentEmails: {
    ever: (words) => t("They must have been sent {emails}, and it is {actual}.", words),
    within: (words) => t("They must have been sent {emails} {period}, and it is {actual}.", words),
  },
  openedEmails: {
    ever: (words) => t("They must have opened {emails}, and it is {actual}.", words),
    within: (words) => t("They must have opened {emails} {period}, and it is {actual}.", words),
  },
  clickedEmails: {
    ever: (words) => t("They must have clicked in {emails}, and it is {actual}.", words),
    within: (words) => t("They must have clicked in {emails} {period}, and it is {actual}.", words),
  },
  bouncedEmails: {
    ever: (words) => t("They must have had {emails} bounce, and it is {actual}.", words),
    within: (words) => t("They must have had {emails} bounce {period}, and it is {actual}.", words),
  },
};

function shown(value: unknown): string {
  if (typeof value === "string") return t("“{value}”", { value });
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "boolean") return value ? t("true") : t("false");
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

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
    if (op === "exists") {
      return isNegative
        ? t("They must not be on a list, and are.")
        : t("They must be on a list, and are not.");
    }
    const lists = anyOf(values.map((id) => nameOf(String(id))));
    return isNegative
      ? t("They must not be on the list {lists}, and are.", { lists })
      : t("They must be on the list {lists}, and are not.", { lists });
  }
  if (field.startsWith("campaign.")) {
    const campaign = nameOf(field.slice("campaign.".length));
    if (op === "exists") {
      return isNegative
        ? t("They must not have been in the audience of the campaign {campaign}, and have.", {
            campaign,
          })
        : t("They must have been in the audience of the campaign {campaign}, and have not.", {
            campaign,
          });
    }
    const did = anyOf(values.map((outcome) => doings[String(outcome)] ?? String(outcome)));
    return isNegative
      ? t("They must not have {did} the campaign {campaign}, and have.", { did, campaign })
      : t("They must have {did} the campaign {campaign}, and have not.", { did, campaign });
  }
  if (field === "subscribed") {
    const wantsSubscribed = values.map(String).includes("true") !== isNegative;
    return wantsSubscribed
      ? t("They must be subscribed, and are not.")
      : t("They must not be subscribed, and are.");
  }
  if (isCountField(field)) {
    const { campaign } = condition;
    const any = countedEmails(condition);
    const emails =
      campaign === undefined
        ? any
        : t("{emails} of the campaign {campaign}", { emails: any, campaign: nameOf(campaign) });
    const words = {
      emails,
      actual: typeof actual === "number" && actual > 0 ? String(actual) : t("none"),
    };
    const period = whenCounted(condition, String);
    const { ever, within } = countFaults[field];
    return period === null ? ever(words) : within({ ...words, period });
  }
  const words = {
    field: fieldNames[field] ?? field,
    actual: actualWords(field, actual),
    values: anyOf(values.map(shown)),
  };
  switch (op) {
    case "exists":
      return isNegative
        ? t("{field} must not be set, and {actual}.", words)
        : t("{field} must be set, and {actual}.", words);
    case "in_last":
      return t("{field} must be {period}, and {actual}.", { ...words, period: inLast(condition) });
    case "not_in_last":
      return t("{field} must not be {period}, and {actual}.", {
        ...words,
        period: inLast(condition),
      });
    case "before_last":
      return t("{field} must be {period}, and {actual}.", { ...words, period: longAgo(condition) });
    case "neq":
      return t("{field} must not be {values}, and {actual}.", words);
    case "contains":
      return t("{field} must contain {values}, and {actual}.", words);
    case "not_contains":
      return t("{field} must not contain {values}, and {actual}.", words);
    case "gt":
      return t("{field} must be more than {values}, and {actual}.", words);
    case "lt":
      return t("{field} must be less than {values}, and {actual}.", words);
    case "in":
      return t("{field} must be one of {values}, and {actual}.", words);
    case "starts_with":
      return t("{field} must start with {values}, and {actual}.", words);
    case "ends_with":
      return t("{field} must end with {values}, and {actual}.", words);
    default:
      return t("{field} must be {values}, and {actual}.", words);
  }
}

/** `is “pro”`, `there is none` */
function actualWords(field: string, actual: unknown): string {
  if (field === "tags") {
    return hasNothing(actual) ? t("there are none") : t("are {actual}", { actual: shown(actual) });
  }
  return hasNothing(actual) ? t("there is none") : t("is {actual}", { actual: shown(actual) });
}

const hasNothing = (actual: unknown) =>
  actual === null ||
  actual === undefined ||
  actual === "" ||
  (Array.isArray(actual) && actual.length === 0);
