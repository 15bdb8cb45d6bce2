import type { SubscriptionChange } from "@/lib/domain/contacts/schema";

/** What changed, in a few words. */
export function changeWords(change: SubscriptionChange): string {
  const { kind, before, after, list } = change;
  if (kind !== "subscription") return choiceWords(change);
  if (list === null) {
    if (after === "unconfirmed") return "Asked to confirm";
    if (before === null) return `Added as ${after}`;
    if (after !== "subscribed") return "Unsubscribed";
    if (before === "unconfirmed") return "Confirmed";
    return before === "unsubscribed" ? "Subscribed again" : "Subscribed";
  }
  const name = list.name === null ? "a deleted list" : `the list ${list.name}`;
  if (after === "unconfirmed") return `Asked to confirm ${name}`;
  if (after !== "subscribed") return `Left ${name}`;
  if (before === "unconfirmed") return `Confirmed ${name}`;
  return before === null ? `Joined ${name}` : `Came back to ${name}`;
}

/** What they chose besides subscribing and leaving. */
function choiceWords({ kind, after, topic, until }: SubscriptionChange): string {
  if (kind === "topic") {
    const name =
      topic === null || topic.name === null ? "a deleted topic" : `the topic ${topic.name}`;
    return after === "unsubscribed" ? `Left ${name}` : `Came back to ${name}`;
  }
  if (kind === "name") return "Changed their name";
  if (kind === "address") return "Changed their address";
  if (kind === "frequency") {
    return after === "weekly"
      ? "Asked for one campaign a week at most"
      : "Wants every campaign again";
  }
  return after === "paused" && until
    ? `Asked for a break until ${until.slice(0, 10)}`
    : "Ended their break";
}

/** What people choose from when they say why they leave. */
export const reasons: Record<string, string> = {
  too_often: "too many emails",
  not_relevant: "not interesting to them",
  never_asked: "never asked for it",
  other: "another reason",
};

/** Why they left, if they said so. */
export function reasonWords({ reason, comment }: SubscriptionChange): string | null {
  const words = reason === null ? null : (reasons[reason] ?? reason);
  return comment ? [words, `“${comment}”`].filter(Boolean).join(": ") : words;
}

const named = (what: string, name: string | null) => (name === null ? `a deleted ${what}` : name);

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
      return `by the user ${named("user", by.name)}`;
    case "apiKey":
      return `by the API key ${named("key", by.name)}`;
    case "platformToken":
      return `by a platform token of ${named("user", by.name)}`;
    case "link":
      return form
        ? `by the person, with ${form.name === null ? "a form that was deleted" : `the form ${form.name}`}`
        : "by the person, on the preferences page";
    case "oneClick":
      return "by the person, with their mail program's button";
    case "confirmation":
      return form
        ? `by the person, with the link of the mail from ${form.name === null ? "a deleted form" : `the form ${form.name}`}`
        : "by the person, with the link of the confirmation mail";
    case "import":
      return by.name === null ? "by an import" : `by the import of ${by.name}`;
    case "complaint":
      return "because the person reported an email as spam";
    case "system":
      return "by Lettermill";
  }
}
