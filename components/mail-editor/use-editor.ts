"use client";

import { EditorState, type Command } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { useCallback, useEffect, useRef, useState } from "react";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { fromDesign, toDesign } from "./document";
import { plugins } from "./keys";
import { nodeViews } from "./views";

/** A change that a button or panel makes; focus returns to the text unless `keepFocus` is set. */
export type Run = (command: Command, options?: { keepFocus?: boolean }) => boolean;

export interface MailEditor {
  /** Where the canvas goes. */
  host: (element: HTMLDivElement | null) => void;
  state: EditorState;
  run: Run;
  can: (command: Command) => boolean;
  focus: () => void;
  /** Names the canvas. */
  label: string;
}

/** Of canvases left for the preview or the HTML: changes can still be undone after coming back. */
const leftStates = new WeakMap<object, EditorState>();

const stateFor = (design: object): EditorState | null => {
  const left = leftStates.get(design);
  if (left) return left;
  const doc = fromDesign(design);
  return doc && EditorState.create({ doc, plugins });
};

/** ProseMirror over a design; null for one that it does not understand. */
export function useEditor({
  design,
  onChange,
  readOnly,
  label,
  onLink,
}: {
  design: object;
  onChange: (design: EmailDesign) => void;
  readOnly: boolean;
  /** Name of the canvas, for screen readers. */
  label: string;
  /** The keys for a link were pressed. */
  onLink: () => void;
}): MailEditor | null {
  const [state, setState] = useState(() => stateFor(design));
  const view = useRef<EditorView>(null);
  const latest = useRef({ onChange, onLink, readOnly, label, state });
  const shown = useRef(design);
  useEffect(() => {
    latest.current = { onChange, onLink, readOnly, label, state };
    view.current?.setProps({});
  });

  const host = useCallback((element: HTMLDivElement | null) => {
    const { state: first } = latest.current;
    if (!element || !first) return;
    const editor = new EditorView(
      { mount: element },
      {
        state: first,
        nodeViews,
        editable: () => !latest.current.readOnly,
        attributes: () => ({
          role: "textbox",
          "aria-multiline": "true",
          "aria-label": latest.current.label,
          class: "mail-canvas",
          tabindex: "0",
        }),
        dispatchTransaction(transaction) {
          const next = editor.state.apply(transaction);
          editor.updateState(next);
          setState(next);
          if (!transaction.docChanged) return;
          const changed = toDesign(next.doc);
          shown.current = changed;
          latest.current.onChange(changed);
        },
        handleDOMEvents: {
          // The page's own Ctrl K opens its palette: in here it makes a link.
          keydown: (_, event) => {
            if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
              event.stopPropagation();
              event.preventDefault();
              latest.current.onLink();
            }
            return false;
          },
        },
      },
    );
    view.current = editor;
    return () => {
      view.current = null;
      latest.current.state = editor.state;
      leftStates.set(shown.current, editor.state);
      editor.destroy();
    };
  }, []);

  // Content from elsewhere: a restored version, somebody else's changes. It can be undone.
  useEffect(() => {
    const editor = view.current;
    if (!editor || design === shown.current) return;
    const before = JSON.stringify(shown.current);
    shown.current = design;
    if (JSON.stringify(design) === before) return;
    const doc = fromDesign(design);
    if (!doc) return;
    const { tr } = editor.state;
    tr.replaceWith(0, tr.doc.content.size, doc.content);
    tr.setDocAttribute("theme", doc.attrs["theme"]);
    tr.setDocAttribute("language", doc.attrs["language"]);
    const next = editor.state.apply(tr);
    editor.updateState(next);
    setState(next);
  }, [design]);

  const run = useCallback<Run>((command, { keepFocus = false } = {}) => {
    const editor = view.current;
    if (!editor || latest.current.readOnly) return false;
    const done = command(editor.state, editor.dispatch, editor);
    if (!keepFocus) editor.focus();
    return done;
  }, []);
  const focus = useCallback(() => view.current?.focus(), []);
  if (!state) return null;
  return { host, state, run, focus, label, can: (command) => command(state) };
}
