import type { BulkAction, BulkRefusal, ContactFieldKind } from "@/db/enums";
import { people } from "@/components/ui/numbers";
import type { BulkChange, BulkChangePreview } from "@/lib/domain/contact-fields/schema";
import { isOfChosen } from "@/lib/domain/contact-fields/terms";
import { phrases, t } from "@/lib/ground/texts/t";

/** How many of the last changes the page shows. */
export const changesShown = 10;

/** What fields and tags have in common on their page: what is done to them. */
export const subjects = {
  field: { rename: "rename_field", remove: "remove_field" },
  tag: { rename: "rename_tag", remove: "remove_tag" },
} as const satisfies Record<string, { rename: BulkAction; remove: BulkAction }>;
export type SubjectKind = keyof typeof subjects;

export const kindNames: Record<ContactFieldKind, string> = phrases({
  text: "Text",
  number: "Number",
  boolean: "Yes or no",
  date: "Date",
});

/** As a template names the field's value; null for a key that templates cannot name. */
export function placeholderOf(key: string): string | null {
  if (/^[A-Za-z_][\w-]*$/.test(key)) return `{{ data.${key} }}`;
  const quote = ['"', "'"].find((mark) => !key.includes(mark));
  if (quote === undefined || key.includes("\\") || key.includes("}")) return null;
  return `{{ data[${quote}${key}${quote}] }}`;
}

/** Whether a change is not over yet. */
export const isUnderWay = ({ status }: Pick<BulkChange, "status">): boolean =>
  status === "PENDING" || status === "RUNNING";

type Named = Pick<BulkChange, "action" | "name" | "newName">;

/** What a change does, while it runs: `Renaming the field plan to tier`. */
export function underWayWords({ action, name, newName }: Named): string {
  switch (action) {
    case "rename_field":
      return t("Renaming the field {name} to {newName}", { name, newName });
    case "remove_field":
      return t("Removing the field {name}", { name });
    case "rename_tag":
      return t("Renaming the tag {name} to {newName}", { name, newName });
    case "remove_tag":
      return t("Removing the tag {name}", { name });
    case "tag":
      return t("Adding the tag {name}", { name });
    case "untag":
      return t("Taking off the tag {name}", { name });
    case "join_list":
      return t("Adding people to the list {name}", { name });
    case "leave_list":
      return t("Taking people off the list {name}", { name });
    case "unsubscribe":
      return t("Unsubscribing people");
    case "delete":
      return t("Deleting people");
  }
}

/** What a change was to do: `Rename the field plan to tier`. */
export function changeWords({ action, name, newName }: Named): string {
  switch (action) {
    case "rename_field":
      return t("Rename the field {name} to {newName}", { name, newName });
    case "remove_field":
      return t("Remove the field {name}", { name });
    case "rename_tag":
      return t("Rename the tag {name} to {newName}", { name, newName });
    case "remove_tag":
      return t("Remove the tag {name}", { name });
    case "tag":
      return t("Add the tag {name}", { name });
    case "untag":
      return t("Take off the tag {name}", { name });
    case "join_list":
      return t("Add people to the list {name}", { name });
    case "leave_list":
      return t("Take people off the list {name}", { name });
    case "unsubscribe":
      return t("Unsubscribe people");
    case "delete":
      return t("Delete people");
  }
}

const refusalWords: Record<BulkRefusal, (count: number) => string> = {
  gone: (count) =>
    t("{count, plural, one {# person} other {# people}} deleted meanwhile", { count }),
  tagLimit: (count) =>
    t("{count, plural, one {# person} other {# people}} with as many tags as anybody may have", {
      count,
    }),
  unsubscribed: (count) =>
    t("{count, plural, one {# person} other {# people}} who unsubscribed from everything", {
      count,
    }),
  leftList: (count) =>
    t("{count, plural, one {# person} other {# people}} who left the list before", { count }),
};

/** What a change has done, and whom it passed over and why. */
export function resultWords({
  action,
  changed,
  processed,
  refused,
}: Pick<BulkChange, "action" | "changed" | "processed" | "refused">): string {
  const reasons = Object.entries(refused) as [BulkRefusal, number][];
  const passed = reasons.reduce((sum, [, number]) => sum + number, 0);
  // Whoever has a field or a tag is looked for among all contacts, for a rename twice.
  const same = isOfChosen(action) ? Math.max(0, processed - changed - passed) : 0;
  return [
    t("{people} changed.", { people: people(changed) }),
    same > 0 &&
      t("{count, plural, one {# person was} other {# people were}} so already.", { count: same }),
    passed > 0 &&
      t("Passed over: {people}.", {
        people: reasons.map(([reason, number]) => refusalWords[reason](number)).join(", "),
      }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Whom a change to a field or a tag is about. */
export function peopleWords(
  kind: SubjectKind,
  { contacts, both }: Pick<BulkChangePreview, "contacts" | "both">,
  newName: string | null,
): string {
  const isField = kind === "field";
  if (contacts === 0) return isField ? t("Nobody has this field.") : t("Nobody has this tag.");
  const having = isField
    ? t("{count, plural, one {# person has} other {# people have}} this field.", {
        count: contacts,
      })
    : t("{count, plural, one {# person has} other {# people have}} this tag.", { count: contacts });
  if (both === 0 || newName === null) return having;
  const keeping = isField
    ? t(
        "{count, plural, one {# person has {newName} as well and keeps} other {# people have {newName} as well and keep}} the value of {newName}, and the other one is lost.",
        { count: both, newName },
      )
    : t(
        "{count, plural, one {# person has {newName} as well and keeps} other {# people have {newName} as well and keep}} {newName}.",
        { count: both, newName },
      );
  return `${having} ${keeping}`;
}

/**
 * Whether figures are older than the last change that ended: they are being counted again. Both are instants as the
 * API writes them.
 */
export function isBehind(countedAt: string | null, changes: readonly BulkChange[]): boolean {
  if (countedAt === null) return true;
  return changes.some(
    ({ status, finishedAt }) =>
      status === "COMPLETED" && finishedAt !== null && finishedAt > countedAt,
  );
}
