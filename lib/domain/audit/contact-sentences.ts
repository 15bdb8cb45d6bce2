import { phrases, t } from "@/lib/ground/texts/t";
import { figure, target, text, type Details } from "./details";

/* The log's longer sentences about contacts and suppressions. */

/** Whom a change in bulk was about; older entries have no figure. */
export function chosen(contacts: unknown): string {
  const count = figure(contacts);
  return count === null
    ? t("all contacts that matched a filter")
    : t("{count, plural, one {# contact} other {# contacts}} at once", { count });
}

const consentWords: Readonly<Record<string, string>> = phrases({
  subscribed: "subscribed",
  unsubscribed: "unsubscribed",
  never: "never subscribed",
});

/** The consent before a change; undefined where none was recorded. */
const consentBefore = ({ before }: Details): string | undefined => consentWords[text(before)];

/** Whom a suppression concerns. */
function suppressedSubject({ contact, domain, email }: Details): string {
  if (text(domain)) return t("everybody at {domain}", { domain: text(domain) });
  return contact === false ? text(email) || t("an address that is no contact’s") : target;
}

export function upsertedContacts(details: Details): string {
  const [created, updated] = [figure(details["created"]), figure(details["updated"])];
  return created === null || updated === null
    ? t("added some contacts and changed some contacts in bulk")
    : t(
        "added {created, plural, one {# contact} other {# contacts}} and changed {updated, plural, one {# contact} other {# contacts}} in bulk",
        { created, updated },
      );
}

export function subscribedContact(details: Details): string {
  const before = consentBefore(details);
  return before === undefined
    ? t("subscribed the contact {}")
    : t("subscribed the contact {target} (was {before})", { target, before });
}

export function unsubscribedContact(details: Details): string {
  const before = consentBefore(details);
  return before === undefined
    ? t("unsubscribed the contact {}")
    : t("unsubscribed the contact {target} (was {before})", { target, before });
}

export function suppressed(details: Details): string {
  return t("stopped all mail to {subject}", { subject: suppressedSubject(details) });
}

export function allowedAgain({ reason, ...details }: Details): string {
  const subject = suppressedSubject(details);
  if (reason === "hard_bounce")
    return t("allowed mail to {subject} again, which had bounced", { subject });
  if (reason === "complaint")
    return t("allowed mail to {subject} again, which had reported spam", { subject });
  return t("allowed mail to {subject} again", { subject });
}

export function importedSuppressions({ added }: Details): string {
  const count = figure(added);
  return count === null
    ? t("suppressed some addresses from a file")
    : t("suppressed {count, plural, one {# address} other {# addresses}} from a file", { count });
}

export function startedImport({ rows }: Details): string {
  const count = figure(rows);
  return count === null
    ? t("imported some rows of contacts from {}")
    : t(
        "imported {count, plural, one {# row of contacts} other {# rows of contacts}} from {target}",
        { count, target },
      );
}

export function describedField({ name }: Details): string {
  return text(name)
    ? t("described the field {name} of contacts", { name: text(name) })
    : t("described a field of contacts");
}

export function renamedField({ name, newName }: Details): string {
  return text(name) && text(newName)
    ? t("renamed the field {name} to {newName} for all contacts", {
        name: text(name),
        newName: text(newName),
      })
    : t("renamed a field for all contacts");
}

export function removedField({ name }: Details): string {
  return text(name)
    ? t("removed the field {name} from all contacts", { name: text(name) })
    : t("removed a field from all contacts");
}

export function renamedTag({ name, newName }: Details): string {
  return text(name) && text(newName)
    ? t("renamed the tag {name} to {newName} for all contacts", {
        name: text(name),
        newName: text(newName),
      })
    : t("renamed a tag for all contacts");
}

export function removedTag({ name }: Details): string {
  return text(name)
    ? t("removed the tag {name} from all contacts", { name: text(name) })
    : t("removed a tag from all contacts");
}

export function tagged({ name, contacts }: Details): string {
  return text(name)
    ? t("put the tag {name} on {contacts}", { name: text(name), contacts: chosen(contacts) })
    : t("put a tag on {contacts}", { contacts: chosen(contacts) });
}

export function untagged({ name, contacts }: Details): string {
  return text(name)
    ? t("took the tag {name} off {contacts}", { name: text(name), contacts: chosen(contacts) })
    : t("took a tag off {contacts}", { contacts: chosen(contacts) });
}

export function addedToList({ name, contacts }: Details): string {
  return text(name)
    ? t("added {contacts} to the list {name}", { name: text(name), contacts: chosen(contacts) })
    : t("added {contacts} to a list", { contacts: chosen(contacts) });
}

export function tookOffList({ name, contacts }: Details): string {
  return text(name)
    ? t("took {contacts} off the list {name}", { name: text(name), contacts: chosen(contacts) })
    : t("took {contacts} off a list", { contacts: chosen(contacts) });
}
