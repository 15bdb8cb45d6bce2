"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useProject } from "@/components/api/project-context";
import { useSettled } from "@/components/api/use-settled";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { changedFields } from "./changed";
import { writingIn, type KeptWriting } from "./local-draft";

/**
 * Keeps a document's unsaved text in this browser for whoever writes it: when typing pauses, and at once when the page is hidden
 * or left. Returns what was kept last time, until it is restored or discarded; while it is offered, nothing
 * is kept in its place. `documentId` null: there is no document. `paused`: a conflict is open, and what was kept stays
 * as it was until that is decided.
 */
export function useKeptWriting<Draft extends object>(
  documentId: string | null,
  saved: Draft,
  draft: Draft,
  paused = false,
): {
  kept: KeptWriting<Draft> | null;
  restored: () => void;
  settle: () => void;
  /** It has been saved after all. */
  forget: () => void;
} {
  const writer = useProject().viewer.id;
  const writing = useMemo(
    () =>
      documentId === null || typeof localStorage === "undefined"
        ? null
        : writingIn<Draft>(localStorage, writer, documentId),
    [writer, documentId],
  );
  const [earlier, setEarlier] = useState(() => writing?.read() ?? null);
  // The server's first paint knows nothing about it, and the browser's must be the same.
  const hydrated = useInBrowser();
  const isNews = earlier !== null && changedFields(saved, { ...saved, ...earlier.mine }).length > 0;
  const latest = useRef({ saved, draft });
  useEffect(() => {
    latest.current = { saved, draft };
  });
  const settledDraft = useSettled(draft);
  const keptIn = isNews || paused ? null : writing;
  useEffect(() => {
    keptIn?.keep(latest.current.saved, latest.current.draft);
  }, [keptIn, settledDraft, saved]);
  useEffect(() => {
    if (!keptIn) return;
    const keep = () => keptIn.keep(latest.current.saved, latest.current.draft);
    window.addEventListener("pagehide", keep);
    document.addEventListener("visibilitychange", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      document.removeEventListener("visibilitychange", keep);
      keep();
    };
  }, [keptIn]);
  // What is written from now on replaces it.
  const restored = useCallback(() => setEarlier(null), []);
  const forget = useCallback(() => writing?.forget(), [writing]);
  const settle = useCallback(() => {
    forget();
    setEarlier(null);
  }, [forget]);
  return { kept: hydrated && isNews ? earlier : null, restored, settle, forget };
}
