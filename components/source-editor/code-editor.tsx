"use client";

import {
  defaultKeymap,
  history,
  historyKeymap,
  insertNewlineKeepIndent,
} from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { liquid } from "@codemirror/lang-liquid";
import { syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { useEffect, useRef, useState } from "react";
import { phrases } from "@/lib/ground/texts/t";
import { pageNonce } from "@/components/message-viewer/frame-document";
import { faultMark, placeholderMarks, setFault } from "./code-marks";
import { editorTheme, highlighting } from "./code-theme";
import { offsetOf, type Place } from "./place";

/** What the code around the editor may do with it. */
export interface EditorHandle {
  /** Replaces the selection. */
  insert: (text: string) => void;
  goTo: (place: Place) => void;
}

interface Properties {
  value: string;
  onChange: (value: string) => void;
  onReady: (handle: EditorHandle | null) => void;
  labelledBy: string;
  /** Id of the sentence that says what is wrong; undefined: nothing is. */
  describedBy: string | undefined;
  /** The line that is marked as wrong. */
  fault: Place | null;
  readOnly: boolean;
}

const fixed: Extension = [
  lineNumbers(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true }),
  liquid({ base: html({ autoCloseTags: false }) }),
  syntaxHighlighting(highlighting),
  placeholderMarks,
  faultMark,
  editorTheme,
  EditorState.tabSize.of(2),
  // Tab leaves the editor, as WCAG 2.1.2 requires; Cmd or Ctrl with Enter belongs to the form.
  keymap.of([
    { key: "Mod-Enter", run: () => true },
    { key: "Enter", run: insertNewlineKeepIndent },
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  // An explicit tab stop: not every tool knows that an editable element can be reached.
  EditorView.contentAttributes.of({ spellcheck: "false", autocapitalize: "none", tabindex: "0" }),
];

/** CodeMirror's own words. */
const words = phrases({
  Find: "Find",
  Replace: "Replace",
  next: "next",
  previous: "previous",
  all: "all",
  "match case": "match case",
  regexp: "regexp",
  "by word": "by word",
  replace: "replace",
  "replace all": "replace all",
  close: "close",
  "current match": "current match",
  "on line": "on line",
  "replaced match on line $": "replaced match on line $",
  "replaced $ matches": "replaced $ matches",
  "Go to line": "Go to line",
  go: "go",
  "Control character": "Control character",
  "Selection deleted": "Selection deleted",
});

const attributesOf = ({ labelledBy, describedBy }: Properties) =>
  EditorView.contentAttributes.of({
    "aria-labelledby": labelledBy,
    ...(describedBy ? { "aria-describedby": describedBy, "aria-invalid": "true" } : {}),
  });

/**
 * Created before the browser applies its styles, CodeMirror has measured lines of another height, and sets the numbers
 * beside others until something is typed. It looks again whenever its whole text has another height, but this one
 * fills the frame.
 */
function followLineHeight(editor: EditorView): ResizeObserver {
  let watched: Element | null = null;
  const watch = new ResizeObserver(() => {
    const line = editor.contentDOM.querySelector(".cm-line");
    const height = line?.getBoundingClientRect().height ?? 0;
    if (height > 0 && Math.abs(height - editor.defaultLineHeight) > 0.5) {
      editor.setState(editor.state);
    }
    follow();
  });
  const follow = () => {
    const line = editor.contentDOM.querySelector(".cm-line");
    if (line === watched) return;
    if (watched) watch.unobserve(watched);
    if (line) watch.observe(line);
    watched = line;
  };
  follow();
  return watch;
}

/** CodeMirror for HTML with Liquid; loaded when it is needed, it is as large as the page around it. */
export default function CodeEditor(properties: Properties) {
  const { value, labelledBy, describedBy, fault, readOnly } = properties;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const text = useRef(value);
  const latest = useRef(properties);
  const [attributes] = useState(() => new Compartment());
  const [access] = useState(() => new Compartment());
  useEffect(() => {
    latest.current = properties;
  });

  useEffect(() => {
    const first = latest.current;
    const editor = new EditorView({
      parent: host.current ?? document.body,
      state: EditorState.create({
        doc: first.value,
        extensions: [
          fixed,
          EditorState.phrases.of(words),
          EditorView.cspNonce.of(pageNonce()),
          attributes.of(attributesOf(first)),
          access.of(EditorState.readOnly.of(first.readOnly)),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const changed = update.state.doc.toString();
            if (changed === text.current) return;
            text.current = changed;
            latest.current.onChange(changed);
          }),
        ],
      }),
    });
    text.current = first.value;
    view.current = editor;
    const measured = followLineHeight(editor);
    first.onReady({
      insert: (inserted) => {
        editor.dispatch(editor.state.replaceSelection(inserted), {
          scrollIntoView: true,
          userEvent: "input.insert",
        });
        editor.focus();
      },
      goTo: (place) => {
        const at = offsetOf(editor.state.doc, place);
        editor.dispatch({
          selection: {
            anchor: at,
            head: Math.min(editor.state.doc.length, at + (place.length ?? 2)),
          },
          effects: EditorView.scrollIntoView(at, { y: "center" }),
        });
        editor.focus();
      },
    });
    return () => {
      measured.disconnect();
      latest.current.onReady(null);
      view.current = null;
      editor.destroy();
    };
  }, [attributes, access]);

  // Text that comes from elsewhere: a version that was restored, a letter to begin with.
  useEffect(() => {
    const editor = view.current;
    if (!editor || value === text.current) return;
    text.current = value;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({
      effects: [
        attributes.reconfigure(attributesOf(latest.current)),
        access.reconfigure(EditorState.readOnly.of(readOnly)),
      ],
    });
  }, [attributes, access, labelledBy, describedBy, readOnly]);
  const line = fault?.line ?? null;
  useEffect(() => {
    view.current?.dispatch({ effects: setFault.of(line) });
  }, [line]);

  return <div ref={host} className="h-full" />;
}
