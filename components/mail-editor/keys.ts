import { baseKeymap, chainCommands, exitCode, toggleMark } from "prosemirror-commands";
import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { history, redo, undo } from "prosemirror-history";
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  wrappingInputRule,
} from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import type { NodeType } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { NodeSelection, Plugin, TextSelection, type Command } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { phrases } from "@/lib/ground/texts/t";
import { blockNames, type BlockName } from "./block-words";
import { duplicateBlock, moveBlock, removeBlock, selectParent, spotsOf } from "./commands";
import { mailSchema } from "./document-schema";

const { nodes, marks } = mailSchema;
const type = (name: string): NodeType => {
  const nodeType = nodes[name];
  if (!nodeType) throw new Error(`The schema has no ${name}.`);
  return nodeType;
};
const mark = (name: string): Command => {
  const markType = marks[name];
  return markType ? toggleMark(markType) : () => false;
};

const lineBreak: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  if (!parent.inlineContent || !parent.type.contentMatch.matchType(type("break"))) return false;
  dispatch?.(state.tr.replaceSelectionWith(type("break").create()).scrollIntoView());
  return true;
};

/** Enter at a button or a selected block starts a line of text after it. */
const textBehind: Command = (state, dispatch) => {
  const { selection } = state;
  const inButton = selection.$from.parent.type.name === "button";
  const isBlock = selection instanceof NodeSelection && selection.node.isBlock;
  if (!inButton && !isBlock) return false;
  const after = isBlock ? selection.to : selection.$from.after();
  const $after = state.doc.resolve(after);
  if (!$after.parent.canReplaceWith($after.index(), $after.index(), type("paragraph")))
    return false;
  if (dispatch) {
    const tr = state.tr.insert(after, type("paragraph").create());
    dispatch(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  }
  return true;
};

/** `{{ firstName | default: 'you' }}` as it is typed becomes a placeholder. */
const placeholderRule = new InputRule(
  /\{\{\s*([A-Za-z_][\w.-]{0,100})\s*(?:\|\s*default:\s*(?:'([^'{}%]{0,100})'|"([^"{}%]{0,100})")\s*)?\}\}$/,
  (state, match, start, end) => {
    const [, name = "", single, double] = match;
    return state.tr.replaceWith(
      start,
      end,
      type("placeholder").create({ name, fallback: single ?? double ?? "" }),
    );
  },
);

const rules = inputRules({
  rules: [
    placeholderRule,
    textblockTypeInputRule(/^(#{1,3})\s$/, type("heading"), (match) => ({
      level: match[1]?.length ?? 1,
    })),
    wrappingInputRule(/^\s*[-*]\s$/, type("bullets")),
    wrappingInputRule(/^1\.\s$/, type("numbers")),
    new InputRule(/^---$/, (state, _match, start, end) =>
      state.tr.replaceRangeWith(start - 1, end + 1, type("divider").create()),
    ),
  ],
});

const bindings: Record<string, Command> = {
  "Mod-z": undo,
  "Mod-y": redo,
  "Shift-Mod-z": redo,
  "Mod-b": mark("bold"),
  "Mod-i": mark("italic"),
  "Mod-u": mark("underline"),
  "Shift-Enter": chainCommands(exitCode, lineBreak),
  Enter: chainCommands(splitListItem(type("item")), textBehind),
  "Alt-ArrowUp": moveBlock(-1),
  "Alt-ArrowDown": moveBlock(1),
  "Mod-d": duplicateBlock,
  "Shift-Mod-Backspace": removeBlock,
  "Mod-[": liftListItem(type("item")),
  "Mod-]": sinkListItem(type("item")),
  Escape: selectParent,
  // Belongs to the surrounding form, which it saves.
  "Mod-Enter": () => true,
};

const hints: Partial<Record<BlockName, string>> = phrases({
  paragraph: "Write something, or add a block",
  heading: "Heading",
  button: "Label",
  footer: "Small print",
});

/** Names the block that the cursor is in, and says what empty ones are for. */
const marksOfBlocks = new Plugin({
  props: {
    decorations(state) {
      const decorations: Decoration[] = [];
      state.doc.descendants((node, pos) => {
        if (!node.isTextblock) return true;
        if (node.content.size === 0) {
          const hint = hints[node.type.name as BlockName] ?? "";
          decorations.push(
            Decoration.node(pos, pos + node.nodeSize, { class: "mail-blank", "data-hint": hint }),
          );
        }
        return false;
      });
      for (const { node, pos, name } of spotsOf(state)) {
        if (!node.isBlock || name === "item" || name === "column") continue;
        decorations.push(
          Decoration.node(pos, pos + node.nodeSize, {
            class: "mail-current",
            "data-block": blockNames[name],
          }),
        );
      }
      return DecorationSet.create(state.doc, decorations);
    },
  },
});

export const plugins = [
  rules,
  keymap(bindings),
  keymap(baseKeymap),
  history(),
  dropCursor({ color: false, class: "mail-drop-cursor" }),
  gapCursor(),
  marksOfBlocks,
];
