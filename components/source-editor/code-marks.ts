import { RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";

/*
 * Placeholders and tags stand out by their background, in text and in attributes alike. The lengths are
 * bounded: a line of a megabyte must not be searched to its end from each brace.
 */
const liquidParts = new MatchDecorator({
  regexp: /\{\{[^{}\n]{0,500}\}\}|\{%[^%\n]{0,500}%\}/g,
  decoration: (match) =>
    Decoration.mark({ class: match[0].startsWith("{{") ? "cm-placeholder-text" : "cm-liquid-tag" }),
});

export const placeholderMarks: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = liquidParts.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = liquidParts.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

/** Marks a line, from 1, as the one with the fault; null: none is. */
export const setFault = StateEffect.define<number | null>();

const faultLine = Decoration.line({ class: "cm-fault" });
const faultGutter = new (class extends GutterMarker {
  override elementClass = "cm-fault";
})();

/** The marked line moves with the text around it. */
export const faultMark: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const moved = marks.map(transaction.changes);
    const effect = transaction.effects.findLast((candidate) => candidate.is(setFault));
    if (!effect) return moved;
    const line = effect.value;
    const { doc } = transaction.state;
    return line === null
      ? Decoration.none
      : Decoration.set([faultLine.range(doc.line(Math.min(line, doc.lines)).from)]);
  },
  provide: (field) => [
    EditorView.decorations.from(field),
    gutterLineClass.compute([field], (state) => {
      const marks = state.field(field).iter();
      return RangeSet.of(marks.value ? [faultGutter.range(marks.from)] : []);
    }),
  ],
});
