import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colour = (name: string) => `var(--color-${name})`;

/** Colours are the page's tokens, which know light and dark themselves. */
export const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: colour("faint"), fontStyle: "italic" },
  { tag: [tags.tagName, tags.angleBracket], color: colour("info") },
  { tag: tags.attributeName, color: colour("success") },
  { tag: [tags.attributeValue, tags.string, tags.number, tags.bool], color: colour("warning") },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: colour("accent-ink") },
  { tag: [tags.propertyName, tags.className], color: colour("success") },
  { tag: tags.invalid, color: colour("danger") },
]);

export const editorTheme = EditorView.theme({
  "&": {
    height: "100%",
    color: colour("ink"),
    backgroundColor: colour("sheet"),
    fontSize: "var(--text-xs)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    fontVariantLigatures: "none",
    lineHeight: "1.25rem",
  },
  ".cm-content": { padding: "0.5rem 0", caretColor: colour("ink") },
  ".cm-line": { padding: "0 0.75rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: colour("ink") },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: `color-mix(in oklab, ${colour("info")} 28%, transparent)` },
  ".cm-activeLine": {
    backgroundColor: `color-mix(in oklab, ${colour("hover")} 55%, transparent)`,
  },
  ".cm-gutters": {
    color: colour("faint"),
    backgroundColor: colour("sunken"),
    borderRight: `1px solid ${colour("rule")}`,
  },
  ".cm-activeLineGutter": { color: colour("ink"), backgroundColor: colour("hover") },
  ".cm-placeholder-text": {
    color: colour("accent-ink"),
    backgroundColor: colour("accent-wash"),
    borderRadius: "2px",
  },
  ".cm-liquid-tag": { backgroundColor: colour("info-wash"), borderRadius: "2px" },
  ".cm-fault": { backgroundColor: colour("danger-wash") },
  ".cm-gutterElement.cm-fault": { color: colour("danger"), fontWeight: "600" },
  ".cm-selectionMatch": { backgroundColor: colour("warning-wash") },
  ".cm-searchMatch": { backgroundColor: colour("warning-wash"), outline: "1px solid currentColor" },
  ".cm-searchMatch-selected": { backgroundColor: colour("accent-wash") },
  ".cm-panels": {
    color: colour("ink"),
    backgroundColor: colour("paper"),
    borderBottom: `1px solid ${colour("rule")}`,
    fontFamily: "var(--font-sans)",
  },
  ".cm-textfield, .cm-button": {
    color: colour("ink"),
    backgroundColor: colour("sheet"),
    backgroundImage: "none",
    border: `1px solid ${colour("control")}`,
    borderRadius: "var(--radius-md)",
    fontSize: "var(--text-xs)",
  },
  ".cm-panel.cm-search label": { fontSize: "var(--text-xs)" },
  ".cm-panel.cm-search [name=close]": { color: colour("soft"), fontSize: "1.125rem" },
});
