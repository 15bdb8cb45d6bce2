"use client";

import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDown,
  ArrowUp,
  Bold,
  Copy,
  Italic,
  Link2,
  Redo2,
  Strikethrough,
  Trash2,
  Underline,
  Undo2,
} from "lucide-react";
import { toggleMark } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import { useId, type ReactNode } from "react";
import { IconButton } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { phrases, t } from "@/lib/ground/texts/t";
import {
  duplicateBlock,
  insertPlaceholder,
  linkAt,
  moveBlock,
  removeBlock,
  setAttributes,
  setColor,
  setTextKind,
  spotsOf,
} from "./commands";
import { themeOf } from "./document";
import { mailSchema } from "./document-schema";
import { PersonaliseMenu } from "@/components/source-editor/personalise-menu";
import { swatchesOf, useBrand } from "./use-brand";
import type { MailEditor } from "./use-editor";

const { marks } = mailSchema;
const alignments = phrases([
  { value: "left", label: "Align left" },
  { value: "center", label: "Centre" },
  { value: "right", label: "Align right" },
]);
const alignmentIcons = { left: AlignLeft, center: AlignCenter, right: AlignRight };

const kinds = phrases([
  { value: "paragraph", label: "Text" },
  { value: "heading1", label: "Heading 1" },
  { value: "heading2", label: "Heading 2" },
  { value: "heading3", label: "Heading 3" },
  { value: "footer", label: "Small print" },
]);
type Kind = (typeof kinds)[number]["value"];

const toKind: Record<Kind, Command> = {
  paragraph: setTextKind("paragraph"),
  heading1: setTextKind("heading", { level: 1 }),
  heading2: setTextKind("heading", { level: 2 }),
  heading3: setTextKind("heading", { level: 3 }),
  footer: setTextKind("footer"),
};

function kindOf(state: EditorState): Kind | null {
  const { parent } = state.selection.$from;
  if (parent.type.name === "heading") return `heading${String(parent.attrs["level"])}` as Kind;
  return parent.type.name === "paragraph" || parent.type.name === "footer"
    ? parent.type.name
    : null;
}

function hasMark(state: EditorState, name: string): boolean {
  const type = marks[name];
  const { from, to, $from, empty } = state.selection;
  if (!type) return false;
  return empty
    ? Boolean(type.isInSet(state.storedMarks ?? $from.marks()))
    : state.doc.rangeHasMark(from, to, type);
}

/** Actions on the text and on the block that the cursor is in. */
export function Toolbar({ editor, onLink }: { editor: MailEditor; onLink: () => void }) {
  const { state, run, can } = editor;
  const brand = useBrand();
  const swatches = useId();
  const kind = kindOf(state);
  const alignedSpot = spotsOf(state).findLast(({ node }) => "align" in node.attrs);
  const inText = state.selection.$from.parent.inlineContent;
  const inLabel = state.selection.$from.parent.type.name === "button";
  const tool = (
    label: string,
    icon: ReactNode,
    command: Command,
    { pressed }: { pressed?: boolean } = {},
  ) => (
    <IconButton
      size="sm"
      label={label}
      aria-pressed={pressed}
      disabled={!can(command)}
      variant={pressed ? "secondary" : "ghost"}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(command)}
    >
      {icon}
    </IconButton>
  );
  const textMark = (name: string, label: string, icon: ReactNode) =>
    tool(label, icon, marks[name] ? toggleMark(marks[name]) : () => false, {
      pressed: hasMark(state, name),
    });
  return (
    <div
      role="toolbar"
      aria-label={t("Text and block")}
      className="flex flex-wrap items-center gap-x-0.5 gap-y-1 rounded-t-md border border-b-0 border-rule-strong bg-sheet p-1"
    >
      {tool(t("Undo (Ctrl Z)"), <Undo2 aria-hidden />, undo)}
      {tool(t("Redo (Ctrl Y)"), <Redo2 aria-hidden />, redo)}
      <Gap />
      <span className="w-32">
        <Select
          label={t("Kind of text")}
          className="h-8! text-sm"
          disabled={kind === null}
          options={kinds}
          value={kind ?? "paragraph"}
          onChange={(next) => run(toKind[next])}
        />
      </span>
      <Gap />
      {textMark("bold", t("Bold (Ctrl B)"), <Bold aria-hidden />)}
      {textMark("italic", t("Italic (Ctrl I)"), <Italic aria-hidden />)}
      {textMark("underline", t("Underline (Ctrl U)"), <Underline aria-hidden />)}
      {textMark("strike", t("Strike through"), <Strikethrough aria-hidden />)}
      <IconButton
        size="sm"
        label={t("Link (Ctrl K)")}
        variant={linkAt(state) === null ? "ghost" : "secondary"}
        aria-pressed={linkAt(state) !== null}
        disabled={!inText || inLabel}
        onClick={onLink}
      >
        <Link2 aria-hidden />
      </IconButton>
      <input
        type="color"
        aria-label={t("Colour of the selected text")}
        title={t("Colour of the selected text")}
        disabled={!can(setColor("#000000"))}
        value={themeOf(state.doc).text}
        list={swatches}
        onChange={({ target }) => run(setColor(target.value), { keepFocus: true })}
        className="h-7 w-8 cursor-pointer rounded-md border border-control bg-sheet p-0.5 disabled:cursor-default disabled:opacity-55"
      />
      <datalist id={swatches}>
        {swatchesOf(brand).map((colour) => (
          <option key={colour} value={colour} />
        ))}
      </datalist>
      <Gap />
      {alignments.map(({ value: align, label }) => {
        const Icon = alignmentIcons[align];
        return (
          <span key={align}>
            {tool(
              label,
              <Icon aria-hidden />,
              alignedSpot ? setAttributes(alignedSpot.pos, { align }) : () => false,
              { pressed: alignedSpot?.node.attrs["align"] === align },
            )}
          </span>
        );
      })}
      <Gap />
      <PersonaliseMenu
        listMails
        disabled={!inText}
        onChoose={(name, fallback) => run(insertPlaceholder(name, fallback))}
      />
      <span className="ml-auto flex gap-0.5">
        {tool(t("Move up (Alt ↑)"), <ArrowUp aria-hidden />, moveBlock(-1))}
        {tool(t("Move down (Alt ↓)"), <ArrowDown aria-hidden />, moveBlock(1))}
        {tool(t("Duplicate the block (Ctrl D)"), <Copy aria-hidden />, duplicateBlock)}
        {tool(t("Remove the block"), <Trash2 aria-hidden />, removeBlock)}
      </span>
    </div>
  );
}

const Gap = () => <span aria-hidden className="mx-1 h-5 border-l max-sm:hidden" />;
