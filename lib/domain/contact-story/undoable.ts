import type { ChangedFields } from "@/db/schema/contact-story";
import type { Contact, ContactUpdate } from "@/lib/domain/contacts/schema";

type Fields = Pick<Contact, "email" | "firstName" | "lastName" | "tags" | "data">;

const texts = ["email", "firstName", "lastName"] as const;

/** jsonb keeps no order of keys. */
function sameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        sameValue((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

const without = (tags: readonly string[] = [], others: readonly string[] = []) =>
  tags.filter((tag) => !others.includes(tag));

/**
 * What takes a change back; null when something it changed is no longer as it left it. Of tags, those it added and
 * removed count, whatever else has been added since.
 */
export function undoOf(
  contact: Fields,
  before: ChangedFields,
  after: ChangedFields,
): ContactUpdate | null {
  const update: ContactUpdate = {};
  for (const field of texts) {
    const value = before[field];
    if (value === undefined) continue;
    if (contact[field] !== after[field]) return null;
    update[field] = value;
  }
  if (before.tags || after.tags) {
    const added = without(after.tags, before.tags);
    const removed = without(before.tags, after.tags);
    if (without(added, contact.tags).length > 0) return null;
    if (without(removed, contact.tags).length < removed.length) return null;
    update.tags = [...without(contact.tags, added), ...removed];
  }
  const [oldData, newData] = [before.data ?? {}, after.data ?? {}];
  const keys = new Set([...Object.keys(oldData), ...Object.keys(newData)]);
  for (const key of keys) {
    const isThere = Object.hasOwn(contact.data, key);
    if (isThere !== Object.hasOwn(newData, key)) return null;
    if (isThere && !sameValue(contact.data[key], newData[key])) return null;
  }
  if (keys.size > 0) {
    update.data = Object.fromEntries([...keys].map((key) => [key, oldData[key] ?? null]));
  }
  return update;
}
