import type { BulkAction } from "@/db/enums";

/** The commonest fields and tags are counted: nobody reads through more. */
export const mostNames = 1_000;

/* What a bulk change of each kind is about. */

export const isRename = (action: BulkAction) =>
  action === "rename_field" || action === "rename_tag";
export const isOfField = (action: BulkAction) =>
  action === "rename_field" || action === "remove_field";
/** Whether it is about chosen contacts, and not about everybody who has the name. */
export const isOfChosen = (action: BulkAction) =>
  !isRename(action) && action !== "remove_field" && action !== "remove_tag";
export const isOfList = (action: BulkAction) => action === "join_list" || action === "leave_list";
/** What takes the change back; null: nothing can. */
export const undoOf = (action: BulkAction) =>
  action === "tag" ? "untag" : action === "untag" ? "tag" : null;
