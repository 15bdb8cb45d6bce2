import { Fragment, type Attrs, type Node, type ResolvedPos } from "prosemirror-model";
import {
  NodeSelection,
  Selection,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from "prosemirror-state";
import type { BlockName } from "./block-words";
import { mailSchema } from "./document-schema";

/** A node around or under the selection, and where it begins. */
export interface Spot {
  node: Node;
  pos: number;
  name: BlockName;
}

const spotAt = (node: Node, pos: number): Spot => ({
  node,
  pos,
  name: node.type.name as BlockName,
});

function around($pos: ResolvedPos): Spot[] {
  const spots: Spot[] = [];
  for (let depth = 1; depth <= $pos.depth; depth++) {
    spots.push(spotAt($pos.node(depth), $pos.before(depth)));
  }
  return spots;
}

/** What the selection is in, from the outermost block to the selected node. */
export function spotsOf({ selection }: EditorState): Spot[] {
  const spots = around(selection.$from);
  return selection instanceof NodeSelection
    ? [...spots, spotAt(selection.node, selection.from)]
    : spots;
}

/** Nodes that cannot be moved or removed by themselves. */
const parts = new Set<BlockName>(["column", "item", "placeholder"]);

/** The block that is moved, copied and removed: the innermost one, a list as a whole. */
export function currentBlock(state: EditorState): Spot | null {
  const spots = spotsOf(state);
  const list = spots.findIndex(({ name }) => name === "bullets" || name === "numbers");
  const own = list === -1 ? spots : spots.slice(0, list + 1);
  return own.findLast(({ name, node }) => node.isBlock && !parts.has(name)) ?? null;
}

/** Selects the block at `pos` after a change, or puts the cursor in its text. */
function selectBlock(tr: Transaction, pos: number): Transaction {
  const node = tr.doc.nodeAt(pos);
  if (!node) return tr;
  return node.isTextblock || !NodeSelection.isSelectable(node)
    ? tr.setSelection(Selection.near(tr.doc.resolve(pos + 1)))
    : tr.setSelection(NodeSelection.create(tr.doc, pos));
}

/**
 * Where blocks can go next to the selection: after the innermost block whose container takes them all.
 */
function placeFor(state: EditorState, blocks: Fragment): { from: number; to: number } {
  const spots = spotsOf(state);
  for (const { node, pos } of spots.toReversed()) {
    if (!node.isBlock) continue;
    const $pos = state.doc.resolve(pos);
    const index = $pos.index();
    if (!$pos.parent.canReplace(index + 1, index + 1, blocks)) continue;
    // They are meant to replace an empty line.
    const replaced = node.type.name === "paragraph" && node.content.size === 0;
    return { from: replaced ? pos : pos + node.nodeSize, to: pos + node.nodeSize };
  }
  const end = state.doc.content.size;
  return { from: end, to: end };
}

export const insertBlocks =
  (added: Node | readonly Node[]): Command =>
  (state, dispatch) => {
    const blocks = Fragment.from(added);
    const { from, to } = placeFor(state, blocks);
    if (dispatch) {
      const tr = state.tr.replaceWith(from, to, blocks);
      dispatch(selectFirstText(tr, from).scrollIntoView());
    }
    return true;
  };

const containers = new Set(["doc", "column", "section", "condition"]);

/** What can be kept for other mails: all blocks that the selection runs through, or the current one. */
export function chosenBlocks(state: EditorState): readonly Node[] {
  const { $from, $to, empty } = state.selection;
  const isRun = !empty && !(state.selection instanceof NodeSelection);
  const range = isRun ? $from.blockRange($to, ({ type }) => containers.has(type.name)) : null;
  if (range) return range.parent.children.slice(range.startIndex, range.endIndex);
  const block = currentBlock(state);
  return block ? [block.node] : [];
}

/** Puts the cursor into a new block's text, or selects the block where it has none. */
function selectFirstText(tr: Transaction, pos: number): Transaction {
  const node = tr.doc.nodeAt(pos);
  if (!node || node.isAtom) return selectBlock(tr, pos);
  const $start = tr.doc.resolve(pos + 1);
  const inside = Selection.findFrom($start, 1, true);
  if (!inside || inside.from > pos + node.nodeSize) return selectBlock(tr, pos);
  const $from = inside.$from;
  // An example label or heading is selected, so that typing replaces it.
  return tr.setSelection(TextSelection.create(tr.doc, $from.start(), $from.end()));
}

/** Moves the current block one place up (-1) or down (1) among its neighbours. */
export const moveBlock =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const spot = currentBlock(state);
    if (!spot) return false;
    const $pos = state.doc.resolve(spot.pos);
    const index = $pos.index();
    const neighbour = $pos.parent.maybeChild(index + direction);
    if (!neighbour) return false;
    const { node, pos } = spot;
    if (dispatch) {
      const start = direction === -1 ? pos - neighbour.nodeSize : pos;
      const end = direction === -1 ? pos + node.nodeSize : pos + node.nodeSize + neighbour.nodeSize;
      const both = direction === -1 ? [node, neighbour] : [neighbour, node];
      const target = direction === -1 ? start : pos + neighbour.nodeSize;
      const inside = state.selection.from - pos;
      const tr = state.tr.replaceWith(start, end, Fragment.from(both));
      if (state.selection instanceof NodeSelection && inside === 0) selectBlock(tr, target);
      else tr.setSelection(Selection.near(tr.doc.resolve(target + Math.max(1, inside))));
      dispatch(tr.scrollIntoView());
    }
    return true;
  };

export const duplicateBlock: Command = (state, dispatch) => {
  const spot = currentBlock(state);
  if (!spot) return false;
  const after = spot.pos + spot.node.nodeSize;
  if (dispatch) dispatch(selectBlock(state.tr.insert(after, spot.node), after).scrollIntoView());
  return true;
};

export const removeBlock: Command = (state, dispatch) => {
  const spot = currentBlock(state);
  if (!spot) return false;
  const $pos = state.doc.resolve(spot.pos);
  const alone = $pos.parent.childCount === 1;
  if (dispatch) {
    const end = spot.pos + spot.node.nodeSize;
    const empty = mailSchema.nodes["paragraph"]?.create();
    const tr =
      alone && empty ? state.tr.replaceWith(spot.pos, end, empty) : state.tr.delete(spot.pos, end);
    dispatch(
      tr.setSelection(Selection.near(tr.doc.resolve(Math.min(spot.pos, tr.doc.content.size)), 1)),
    );
  }
  return true;
};

/** Sets attributes of the node at `pos`; the selection stays. */
export const setAttributes =
  (pos: number, attrs: Attrs): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(pos);
    if (!node) return false;
    if (dispatch) {
      const tr = state.tr;
      for (const [name, value] of Object.entries(attrs)) tr.setNodeAttribute(pos, name, value);
      const { selection } = state;
      if (selection instanceof NodeSelection) {
        tr.setSelection(NodeSelection.create(tr.doc, selection.from));
      }
      dispatch(tr);
    }
    return true;
  };

/** Selects what holds the selection; does nothing at the outermost block. */
export const selectParent: Command = (state, dispatch) => {
  const spots = spotsOf(state);
  const own = state.selection instanceof NodeSelection ? spots.slice(0, -1) : spots;
  const parent = own.findLast(({ node }) => NodeSelection.isSelectable(node) && !node.isTextblock);
  if (!parent) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, parent.pos)));
  return true;
};

export const selectAt =
  (pos: number): Command =>
  (state, dispatch) => {
    dispatch?.(selectBlock(state.tr, pos).scrollIntoView());
    return true;
  };

/** Turns text blocks within the selection into another kind. */
export const setTextKind =
  (name: "paragraph" | "heading" | "footer", attrs: Attrs = {}): Command =>
  (state, dispatch) => {
    const type = mailSchema.nodes[name];
    const spot = spotsOf(state).findLast(({ node }) => node.isTextblock);
    if (!type || !spot || spot.name === "button") return false;
    const $pos = state.doc.resolve(spot.pos);
    if (!$pos.parent.canReplaceWith($pos.index(), $pos.index() + 1, type)) return false;
    dispatch?.(
      state.tr.setBlockType(state.selection.from, state.selection.to, type, {
        align: spot.node.attrs["align"] as string,
        ...attrs,
      }),
    );
    return true;
  };

/** The link at the selection; null: there is none. */
export function linkAt({ selection, doc }: EditorState): string | null {
  const link = mailSchema.marks["link"];
  const { from, to, $from, empty } = selection;
  if (!link) return null;
  if (empty) {
    const mark = link.isInSet($from.marks()) ?? link.isInSet($from.nodeAfter?.marks ?? []);
    return (mark?.attrs["href"] as string | undefined) ?? null;
  }
  let href: string | null = null;
  doc.nodesBetween(from, to, (node) => {
    const mark = link.isInSet(node.marks);
    if (mark && href === null) href = mark.attrs["href"] as string;
  });
  return href;
}

/** The whole text that carries the link around an empty selection. */
function linkRange(state: EditorState): { from: number; to: number } {
  const { from, to, $from, empty } = state.selection;
  const link = mailSchema.marks["link"];
  const href = linkAt(state);
  if (!empty || !link || href === null) return { from, to };
  let [start, end] = [from, to];
  $from.parent.forEach((node, offset) => {
    const at = $from.start() + offset;
    const inside = at <= from && at + node.nodeSize >= from;
    if (inside && link.isInSet(node.marks)?.attrs["href"] === href) {
      [start, end] = [Math.min(start, at), Math.max(end, at + node.nodeSize)];
    }
  });
  return { from: start, to: end };
}

/** Links what is selected, or `words` where nothing is; null removes the link. */
export const setLink =
  (href: string | null, words = ""): Command =>
  (state, dispatch) => {
    const link = mailSchema.marks["link"];
    if (!link || !state.selection.$from.parent.inlineContent) return false;
    const { from, to } = linkRange(state);
    const tr = state.tr;
    if (from === to) {
      if (href === null) return false;
      tr.insertText(words || href, from);
      tr.addMark(from, from + (words || href).length, link.create({ href }));
    } else {
      tr.removeMark(from, to, link);
      if (href !== null) tr.addMark(from, to, link.create({ href }));
    }
    dispatch?.(tr.scrollIntoView());
    return true;
  };

export const insertPlaceholder =
  (name: string, fallback: string): Command =>
  (state, dispatch) => {
    const node = mailSchema.nodes["placeholder"]?.create({ name, fallback });
    if (!node || !state.selection.$from.parent.inlineContent) return false;
    dispatch?.(state.tr.replaceSelectionWith(node).scrollIntoView());
    return true;
  };

export const setColor =
  (color: string | null): Command =>
  (state, dispatch) => {
    const mark = mailSchema.marks["color"];
    const { from, to, empty } = state.selection;
    if (!mark || empty) return false;
    const tr = state.tr.removeMark(from, to, mark);
    dispatch?.(color === null ? tr : tr.addMark(from, to, mark.create({ color })));
    return true;
  };
