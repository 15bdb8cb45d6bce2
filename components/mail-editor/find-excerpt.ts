import type { Node } from "prosemirror-model";
import { NodeSelection, Selection, type Command } from "prosemirror-state";

/** `{{ firstName | default: 'you' }}` and `{{ contact.firstName }}`: what a placeholder's node is called by. */
const nameIn = (excerpt: string) => /^\{\{-?\s*([\p{L}\p{N}_.]+)/u.exec(excerpt)?.[1];

function holds(value: unknown, excerpt: string): boolean {
  if (typeof value === "string") return value.includes(excerpt);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => holds(part, excerpt));
}

/** Where something of a mail's HTML stands in its document: a text, an address, a placeholder; null: nowhere. */
export function findExcerpt(doc: Node, excerpt: string): number | null {
  const sought = excerpt.replaceAll("&amp;", "&");
  const name = nameIn(sought);
  let found: number | null = null;
  doc.descendants((node, pos) => {
    if (found !== null) return false;
    const isIt =
      node.type.name === "placeholder"
        ? node.attrs["name"] === name
        : holds([node.text, node.attrs, node.marks.map(({ attrs }) => attrs)], sought);
    if (isIt) found = pos;
    return !isIt;
  });
  return found;
}

/** Selects the block, or puts the cursor in the text, that the excerpt comes from. */
export const selectExcerpt =
  (excerpt: string): Command =>
  ({ doc, tr }, dispatch) => {
    const pos = findExcerpt(doc, excerpt);
    const node = pos === null ? null : doc.nodeAt(pos);
    if (pos === null || !node) return false;
    const selection =
      node.isText || node.isTextblock || !NodeSelection.isSelectable(node)
        ? Selection.near(doc.resolve(pos + (node.isText ? 0 : 1)))
        : NodeSelection.create(doc, pos);
    dispatch?.(tr.setSelection(selection).scrollIntoView());
    return true;
  };
