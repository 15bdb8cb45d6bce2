import type { Contact, ContactUpdate } from "@/lib/domain/contacts/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { attributeChanges, attributeText, type AttributeRow } from "./attributes";

/** The form's plain-text fields; the compiler asks for any that contacts gain. */
const textLabels: Readonly<Record<TextField, string>> = phrases({
  email: "Email",
  firstName: "First name",
  lastName: "Last name",
});
type TextField = Exclude<keyof Contact & keyof ContactUpdate, "tags" | "data" | "subscribed">;
const textFields = Object.keys(textLabels) as TextField[];

export interface ContactDraft extends Record<TextField, string> {
  tags: string[];
  rows: AttributeRow[];
}

const textsOf = (contact: Record<TextField, string>) =>
  Object.fromEntries(textFields.map((name) => [name, contact[name]])) as Record<TextField, string>;

export const draftOf = (contact: Pick<Contact, TextField | "tags" | "data">): ContactDraft => ({
  ...textsOf(contact),
  tags: contact.tags,
  rows: Object.entries(contact.data).map(([key, value]) => ({ key, text: attributeText(value) })),
});

/** What differs from the contact; only that is sent, so that others' changes stay. */
export function changesOf(contact: Contact, draft: ContactDraft): ContactUpdate {
  const changes: ContactUpdate = {};
  for (const name of textFields) {
    if (draft[name].trim() !== contact[name]) changes[name] = draft[name].trim();
  }
  if (draft.tags.join("\n") !== contact.tags.join("\n")) changes.tags = draft.tags;
  const data = attributeChanges(contact.data, draft.rows);
  if (Object.keys(data).length > 0) changes.data = data;
  return changes;
}

/** What two people can edit without clashing: each attribute is a field of its own. */
export type MergeFields = Readonly<Record<string, string | undefined>>;

const attribute = "data.";

export const fieldsOf = (contact: Contact): MergeFields => ({
  ...textsOf(contact),
  tags: contact.tags.join("\n"),
  ...Object.fromEntries(
    Object.entries(contact.data).map(([key, value]) => [attribute + key, attributeText(value)]),
  ),
});

/** The fields that a change mentions; undefined: an attribute that is removed. */
export function writtenFields({ data = {}, ...changes }: ContactUpdate): MergeFields {
  const written: Record<string, string | undefined> = {};
  for (const name of textFields) {
    if (changes[name] !== undefined) written[name] = changes[name];
  }
  if (changes.tags) written["tags"] = changes.tags.join("\n");
  for (const [key, value] of Object.entries(data)) {
    written[attribute + key] = value === null ? undefined : attributeText(value);
  }
  return written;
}

/** A contact with these changes, as a draft; fields in `without` are left as they are. */
export function draftWith(
  contact: Contact,
  { data = {}, ...changes }: ContactUpdate,
  without: readonly string[] = [],
): ContactDraft {
  const kept = { ...contact, data: { ...contact.data } };
  for (const name of textFields) {
    const change = changes[name];
    if (change !== undefined && !without.includes(name)) kept[name] = change;
  }
  if (changes.tags && !without.includes("tags")) kept.tags = changes.tags;
  for (const [key, value] of Object.entries(data)) {
    if (without.includes(attribute + key)) continue;
    if (value === null) Reflect.deleteProperty(kept.data, key);
    else kept.data[key] = value;
  }
  return draftOf(kept);
}

export function labelOf(field: string): string {
  if (field === "tags") return t("Tags");
  return field in textLabels ? textLabels[field as TextField] : field.slice(attribute.length);
}
