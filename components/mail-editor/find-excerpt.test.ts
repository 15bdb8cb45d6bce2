import { EditorState, NodeSelection } from "prosemirror-state";
import { expect, test } from "vitest";
import { fromDesign } from "./document";
import { selectExcerpt } from "./find-excerpt";

const doc = fromDesign({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: [
        { type: "text", text: "Hello " },
        { type: "placeholder", attrs: { name: "firstName", fallback: "you" } },
        {
          type: "text",
          text: "read on",
          marks: [{ type: "link", attrs: { href: "https://example.com/more" } }],
        },
      ],
    },
    {
      type: "section",
      attrs: { background: "#ffffff" },
      content: [
        {
          type: "button",
          attrs: { href: "https://example.com/?a=1&b=2" },
          content: [{ type: "text", text: "Buy" }],
        },
        { type: "image", attrs: { src: "https://example.com/shoes.png" } },
      ],
    },
  ],
});

function selectedBy(excerpt: string) {
  if (!doc) throw new Error("The editor does not understand it.");
  let state = EditorState.create({ doc });
  const done = selectExcerpt(excerpt)(state, (tr) => (state = state.apply(tr)));
  if (!done) return null;
  const { selection } = state;
  return selection instanceof NodeSelection
    ? selection.node.type.name
    : `in ${selection.$from.parent.type.name}`;
}

test.each([
  ["https://example.com/?a=1&amp;b=2", "in button"],
  ["https://example.com/more", "in paragraph"],
  ["https://example.com/shoes.png", "image"],
  ["{{ firstName | default: 'you' }}", "placeholder"],
  ["Hello", "in paragraph"],
  ["{{ lastName }}", null],
  ["<table", null],
])("%j leads to where it comes from", (excerpt, selected) => {
  expect(selectedBy(excerpt)).toBe(selected);
});
