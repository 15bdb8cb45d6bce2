import { EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { expect, test } from "vitest";
import { chosenBlocks, insertBlocks } from "./commands";
import { fromDesign, nodesOf } from "./document";

const text = (words: string) => ({
  type: "paragraph",
  ...(words ? { content: [{ type: "text", text: words }] } : {}),
});
const column = (...content: object[]) => ({ type: "column", content });
const columns = { type: "columns", content: [column(text("c1"), text("c2")), column(text("d"))] };
const list = { type: "bullets", content: [{ type: "item", content: [text("item")] }] };
const section = {
  type: "section",
  attrs: { background: "#ffffff" },
  content: [text("in section")],
};

function stateOf(content: object[]): EditorState {
  const doc = fromDesign({ type: "doc", content });
  if (!doc) throw new Error("The editor does not understand it.");
  return EditorState.create({ doc });
}

/** Where a text begins. */
function placeOf({ doc }: EditorState, words: string): number {
  let place = -1;
  doc.descendants((node, pos) => {
    if (node.isText && node.text === words) place = pos;
  });
  return place;
}

function selecting(state: EditorState, from: string, to = from): EditorState {
  const selection = TextSelection.create(state.doc, placeOf(state, from), placeOf(state, to) + 1);
  return state.apply(state.tr.setSelection(selection));
}

const chosen = (state: EditorState) =>
  chosenBlocks(state).map((node) => `${node.type.name} ${node.textContent}`);

test("what is kept for other emails is the block with the cursor, or all that are selected", () => {
  const state = stateOf([text("a"), text("b"), columns, list, { type: "divider" }]);
  expect(chosen(selecting(state, "a"))).toEqual(["paragraph a"]);
  expect(chosen(selecting(state, "a", "b"))).toEqual(["paragraph a", "paragraph b"]);
  expect(chosen(selecting(state, "c1", "c2"))).toEqual(["paragraph c1", "paragraph c2"]);
  expect(chosen(selecting(state, "c2", "d"))).toEqual(["columns c1c2d"]);
  expect(chosen(selecting(state, "b", "item"))).toEqual([
    ...["paragraph b", "columns c1c2d", "bullets item"],
  ]);
  expect(chosen(selecting(state, "item"))).toEqual(["bullets item"]);
  const divider = NodeSelection.create(state.doc, state.doc.content.size - 1);
  expect(chosen(state.apply(state.tr.setSelection(divider)))).toEqual(["divider "]);
});

const inserted = (state: EditorState, blocks: object[]) => {
  const nodes = nodesOf(blocks);
  if (!nodes) throw new Error("They are no blocks.");
  let next = state;
  insertBlocks(nodes)(state, (tr) => (next = state.apply(tr)));
  return Array.from({ length: next.doc.childCount }, (_, index) => {
    const node = next.doc.child(index);
    return `${node.type.name} ${node.textContent}`;
  });
};

test("blocks go behind the cursor's own, out of whatever cannot hold them all, and replace an empty line", () => {
  const state = stateOf([columns, text(""), text("z")]);
  expect(inserted(selecting(state, "c2"), [text("x"), { type: "divider" }])).toEqual([
    ...["columns c1c2xd", "paragraph ", "paragraph z"],
  ]);
  expect(inserted(selecting(state, "c2"), [text("x"), section])).toEqual([
    ...["columns c1c2d", "paragraph x", "section in section", "paragraph ", "paragraph z"],
  ]);
  const empty = TextSelection.create(state.doc, state.doc.child(0).nodeSize + 1);
  expect(inserted(state.apply(state.tr.setSelection(empty)), [section])).toEqual([
    ...["columns c1c2d", "section in section", "paragraph z"],
  ]);
});
