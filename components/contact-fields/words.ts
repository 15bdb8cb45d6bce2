import type { BulkAction, BulkRefusal, ContactFieldKind } from "@/db/enums";
import { people } from "@/components/ui/numbers";
import {
  isOfChosen,
  type BulkChange,
  type BulkChangePreview,
} from "@/lib/domain/contact-fields/schema";

/** How many of the last changes the page shows. */
export const changesShown = 10;

/** What fields and tags have in common on their page, and what is done to them. */
export const subjects = {
  field: { what: "field", rename: "rename_field", remove: "remove_field" },
  tag: { what: "tag", rename: "rename_tag", remove: "remove_tag" },
} as const satisfies Record<string, { what: string; rename: BulkAction; remove: BulkAction }>;
export type SubjectKind = keyof typeof subjects;

export const kindNames: Record<ContactFieldKind, string> = {
  text: "Text",
  number: "Number",
  boolean: "Yes or no",
  date: "Date",
};

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
      return `Renaming the field ${name} to ${newName}`;
    case "remove_field":
      return `Removing the field ${name}`;
    case "rename_tag":
      return `Renaming the tag ${name} to ${newName}`;
    case "remove_tag":
      return `Removing the tag ${name}`;
    case "tag":
      return `Adding the tag ${name}`;
    case "untag":
      return `Taking off the tag ${name}`;
    case "join_list":
      return `Adding people to the list ${name}`;
    case "leave_list":
      return `Taking people off the list ${name}`;
    case "unsubscribe":
      return "Unsubscribing people";
    case "delete":
      return "Deleting people";
  }
}

/** What a change was to do: `Rename the field plan to tier`. */
export function changeWords({ action, name, newName }: Named): string {
  switch (action) {
    case "rename_field":
      return `Rename the field ${name} to ${newName}`;
    case "remove_field":
      return `Remove the field ${name}`;
    case "rename_tag":
      return `Rename the tag ${name} to ${newName}`;
    case "remove_tag":
      return `Remove the tag ${name}`;
    case "tag":
      return `Add the tag ${name}`;
    case "untag":
      return `Take off the tag ${name}`;
    case "join_list":
      return `Add people to the list ${name}`;
    case "leave_list":
      return `Take people off the list ${name}`;
    case "unsubscribe":
      return "Unsubscribe people";
    case "delete":
      return "Delete people";
  }
}

const refusalWords: Record<BulkRefusal, (count: string) => string> = {
  gone: (count) => `${count} deleted meanwhile`,
  tagLimit: (count) => `${count} with as many tags as anybody may have`,
  unsubscribed: (count) => `${count} who unsubscribed from everything`,
  leftList: (count) => `${count} who left the list before`,
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
    `${people(changed)} changed.`,
    same > 0 && `${people(same)} ${same === 1 ? "was" : "were"} so already.`,
    passed > 0 &&
      `Passed over: ${reasons.map(([reason, number]) => refusalWords[reason](people(number))).join(", ")}.`,
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
  const { what } = subjects[kind];
  if (contacts === 0) return `Nobody has this ${what}.`;
  const having = `${people(contacts)} ${contacts === 1 ? "has" : "have"} this ${what}.`;
  if (both === 0 || newName === null) return having;
  const keep =
    kind === "field"
      ? `${both === 1 ? "keeps" : "keep"} the value of ${newName}, and the other one is lost`
      : `${both === 1 ? "keeps" : "keep"} ${newName}`;
  return `${having} ${people(both)} ${both === 1 ? "has" : "have"} ${newName} as well and ${keep}.`;
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
