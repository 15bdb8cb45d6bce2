"use client";

import { useCallback, useRef } from "react";
import type { EditorHandle } from "./code-editor";

type Request = (editor: EditorHandle) => void;

/** The code editor loads later than the buttons around it: what they ask of it happens once it is there. */
export function useLoadedEditor() {
  const editor = useRef<EditorHandle>(null);
  const waiting = useRef<Request[]>([]);
  const onReady = useCallback((ready: EditorHandle | null) => {
    editor.current = ready;
    if (ready) for (const request of waiting.current.splice(0)) request(ready);
  }, []);
  const ask = useCallback((request: Request) => {
    if (editor.current) request(editor.current);
    else waiting.current.push(request);
  }, []);
  return { onReady, ask };
}
