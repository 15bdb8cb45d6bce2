import type { SubscriberStatus } from "@/db/enums";
import type { SubscriptionChange } from "@/lib/domain/contacts/schema";
import { phrases, t } from "@/lib/ground/texts/t";

/** What changed, in a few words. */
export function changeWords(change: SubscriptionChange): string {
  const { kind, before, after, list } = change;
  if (kind !== "subscription") return choiceWords(change);
  if (list === null) {
    if (after === "unconfirmed") return t("Asked to confirm");
    if (before === null) {
      return after === "subscribed" ? t("Added as subscribed") : t("Added as unsubscribed");
    }
    if (after !== "subscribed") return t("Unsubscribed");
    if (before === "unconfirmed") return t("Confirmed");
    return before === "unsubscribed" ? t("Subscribed again") : t("Subscribed");
  }
  return list.name === null ? deletedListWords(change) : listWords(change, list.name);
}

function listWords({ before, after }: SubscriptionChange, name: string): string {
  if (after === "unconfirmed") return t("Asked to confirm the list {name}", { name });
  if (after !== "subscribed") return t("Left the list {name}", { name });
  if (before === "unconfirmed") return t("Confirmed the list {name}", { name });
  return before === null
    ? t("Joined the list {name}", { name })
    : t("Came back to the list {name}", { name });
}

function deletedListWords({ before, after }: SubscriptionChange): string {
  if (after === "unconfirmed") return t("Asked to confirm a deleted list");
  if (after !== "subscribed") return t("Left a deleted list");
  if (before === "unconfirmed") return t("Confirmed a deleted list");
  return before === null ? t("Joined a deleted list") : t("Came back to a deleted list");
}

/** What they chose besides subscribing and leaving. */
function choiceWords({ kind, after, topic, until }: SubscriptionChange): string {
  if (kind === "topic") {
    const name = topic?.name ?? null;
    if (after === "unsubscribed") {
      return name === null ? t("Left a deleted topic") : t("Left the topic {name}", { name });
    }
    return name === null
      ? t("Came back to a deleted topic")
      : t("Came back to the topic {name}", { name });
  }
  if (kind === "name") return t("Changed their name");
  if (kind === "address") return t("Changed their address");
  if (kind === "frequency") {
    return after === "weekly"
      ? t("Asked for one campaign a week at most")
      : t("Wants every campaign again");
  }
  return after === "paused" && until
    ? t("Asked for a break until {date}", { date: until.slice(0, 10) })
    : t("Ended their break");
}

/** How somebody is on a list, within a line. */
export const statusWords: Record<SubscriberStatus, string> = phrases({
  subscribed: "subscribed",
  unsubscribed: "unsubscribed",
  unconfirmed: "unconfirmed",
  bounced: "bounced",
  complained: "complained",
});

/** What people choose from when they say why they leave. */
export const reasons: Record<string, string> = phrases({
  too_often: "too many emails",
  not_relevant: "not interesting to them",
  never_asked: "never asked for it",
  other: "another reason",
});

/** Why they left, if they said so. */
export function reasonWords({ reason, comment }: SubscriptionChange): string | null {
  const words = reason === null ? null : (reasons[reason] ?? reason);
  if (!comment) return words;
  return words === null
    ? t("“{comment}”", { comment })
    : t("{reason}: “{comment}”", { reason: words, comment });
}

/** The forms that the person came through, each once, latest first. */
export function formsIn(
  changes: readonly SubscriptionChange[],
): { id: string; name: string | null }[] {
  const forms = changes.flatMap(({ form }) => form ?? []);
  return forms.filter(({ id }, index) => forms.findIndex((other) => other.id === id) === index);
}

/** Through whom; follows what changed. */
export function byWords({ by, form }: Pick<SubscriptionChange, "by" | "form">): string {
  switch (by.type) {
    case "user":
      return t("by the user {name}", { name: by.name ?? t("a deleted user") });
    case "apiKey":
      return t("by the API key {name}", { name: by.name ?? t("a deleted key") });
    case "platformToken":
      return t("by a platform token of {name}", { name: by.name ?? t("a deleted user") });
    case "link":
      if (!form) return t("by the person, on the preferences page");
      return form.name === null
        ? t("by the person, with a form that was deleted")
        : t("by the person, with the form {name}", { name: form.name });
    case "oneClick":
      return t("by the person, with their mail program's button");
    case "confirmation":
      if (!form) return t("by the person, with the link of the confirmation mail");
      return form.name === null
        ? t("by the person, with the link of the mail from a deleted form")
        : t("by the person, with the link of the mail from the form {name}", { name: form.name });
    case "import":
      return by.name === null ? t("by an import") : t("by the import of {name}", { name: by.name });
    case "complaint":
      return t("because the person reported an email as spam");
    case "system":
      return t("by Lettermill");
  }
}
