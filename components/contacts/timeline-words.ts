import { counted } from "@/components/ui/numbers";
import type { ContactChange, TimelineKind } from "@/lib/domain/contact-story/schema";
import { listFormat } from "@/lib/ground/texts/formats";
import { phrases, t } from "@/lib/ground/texts/t";
import { attributeText } from "./attributes";

/** Entries on a page. */
export const timelinePage = 25;

/** What the timeline can be narrowed to, in the order of the buttons. */
export const kindLabels: Readonly<Record<TimelineKind, string>> = phrases({
  emails: "Emails",
  engagement: "Opens and clicks",
  received: "From them",
  lists: "Lists and tags",
  consent: "Consent",
  changes: "Changes",
  forms: "Forms and imports",
});

/** In the address of a contact's page. */
export const timelineParameter = "timeline";

/** What a contact's address narrows the timeline to; null: nothing, or nothing that there is. */
export const timelineKind = (text: string | null | undefined): TimelineKind | null =>
  Object.keys(kindLabels).find((kind): kind is TimelineKind => kind === text) ?? null;

/** One field of a change: null where it was not there. */
export interface FieldChange {
  label: string;
  before: string | null;
  after: string | null;
}

const textLabels = phrases({
  email: "Email",
  firstName: "First name",
  lastName: "Last name",
});
const longest = 200;

function shown(value: unknown): string {
  const text = attributeText(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** What a change set, field by field; of tags, which were added and removed. */
export function fieldChanges({
  before,
  after,
}: Pick<ContactChange, "before" | "after">): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const field of Object.keys(textLabels) as (keyof typeof textLabels)[]) {
    if (before[field] === undefined) continue;
    const [old, now] = [before[field], after[field]];
    changes.push({ label: textLabels[field], before: old || null, after: now || null });
  }
  const [oldTags, newTags] = [before.tags ?? [], after.tags ?? []];
  const added = newTags.filter((tag) => !oldTags.includes(tag));
  const removed = oldTags.filter((tag) => !newTags.includes(tag));
  if (added.length > 0)
    changes.push({ label: t("Tags added"), before: null, after: added.join(", ") });
  if (removed.length > 0) {
    changes.push({ label: t("Tags removed"), before: removed.join(", "), after: null });
  }
  const [oldData, newData] = [before.data ?? {}, after.data ?? {}];
  for (const key of new Set([...Object.keys(oldData), ...Object.keys(newData)])) {
    changes.push({
      label: key,
      before: Object.hasOwn(oldData, key) ? shown(oldData[key]) : null,
      after: Object.hasOwn(newData, key) ? shown(newData[key]) : null,
    });
  }
  return changes;
}

/** What changed, in a few words; the values follow below. */
export function changeTitle(change: Pick<ContactChange, "before" | "after" | "undoes">): string {
  const labels = fieldChanges(change).map(({ label }) => label);
  const ofTags = [t("Tags added"), t("Tags removed")];
  const names = [...new Set(labels.map((label) => (ofTags.includes(label) ? t("tags") : label)))];
  if (names.length === 0) return t("Put the tags in another order");
  const fields = names.length > 3 ? counted(names.length, "field") : listFormat().format(names);
  return change.undoes
    ? t("Undid a change of {fields}", { fields })
    : t("Changed {fields}", { fields });
}

/** `twice`, `5 times`; nothing for once. */
export function timesWords(times = 1): string {
  if (times < 2) return "";
  return times === 2 ? t("twice") : t("{times} times", { times });
}
