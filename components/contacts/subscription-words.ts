import type { SubscriptionChange } from "@/lib/domain/contacts/schema";

/** What changed, in a few words. */
export function changeWords({ before, after, list }: SubscriptionChange): string {
  if (list === null) {
    if (before === null) return `Added as ${after}`;
    if (after !== "subscribed") return "Unsubscribed";
    return before === "unsubscribed" ? "Subscribed again" : "Subscribed";
  }
  const name = list.name === null ? "a deleted list" : `the list ${list.name}`;
  if (after === "unconfirmed") return `Asked to confirm ${name}`;
  if (after !== "subscribed") return `Left ${name}`;
  if (before === "unconfirmed") return `Confirmed ${name}`;
  return before === null ? `Joined ${name}` : `Came back to ${name}`;
}

const named = (what: string, name: string | null) => (name === null ? `a deleted ${what}` : name);

/** Through whom, after what changed. */
export function byWords({ by }: SubscriptionChange): string {
  switch (by.type) {
    case "user":
      return `by the user ${named("user", by.name)}`;
    case "apiKey":
      return `by the API key ${named("key", by.name)}`;
    case "platformToken":
      return `by a platform token of ${named("user", by.name)}`;
    case "link":
      return "by the person, on the preferences page";
    case "oneClick":
      return "by the person, with their mail program's button";
    case "confirmation":
      return "by the person, with the link of the confirmation mail";
    case "import":
      return by.name === null ? "by an import" : `by the import of ${by.name}`;
    case "complaint":
      return "because the person reported an email as spam";
    case "system":
      return "by Lettermill";
  }
}
