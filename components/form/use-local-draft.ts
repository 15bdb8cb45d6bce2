"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { useProject } from "@/components/api/project-context";
import { useSettled } from "@/components/api/use-settled";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { changedFields } from "./changed";
import { forgetWriting, keepWriting, readWriting, type KeptWriting } from "./local-draft";

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
): { kept: KeptWriting<Draft> | null; restored: () => void; settle: () => void } {
  const writer = useProject().viewer.id;
  const [earlier, setEarlier] = useState(() =>
    documentId === null || typeof localStorage === "undefined"
      ? null
      : readWriting<Draft>(localStorage, writer, documentId),
  );
  // The server's first paint knows nothing about it, and the browser's must be the same.
  const hydrated = useInBrowser();
  const isNews = earlier !== null && changedFields(saved, { ...saved, ...earlier.mine }).length > 0;
  const latest = useRef({ saved, draft });
  useEffect(() => {
    latest.current = { saved, draft };
  });
  const settledDraft = useSettled(draft);
  const keeping = documentId !== null && !isNews && !paused;
  useEffect(() => {
    if (!keeping) return;
    keepWriting(localStorage, writer, documentId, latest.current.saved, latest.current.draft);
  }, [keeping, writer, documentId, settledDraft, saved]);
  useEffect(() => {
    if (!keeping) return;
    const keep = () =>
      keepWriting(localStorage, writer, documentId, latest.current.saved, latest.current.draft);
    window.addEventListener("pagehide", keep);
    document.addEventListener("visibilitychange", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      document.removeEventListener("visibilitychange", keep);
      keep();
    };
  }, [keeping, writer, documentId]);
  // What is written from now on replaces it.
  const restored = useCallback(() => setEarlier(null), []);
  const settle = useCallback(() => {
    if (documentId !== null) forgetWriting(localStorage, writer, documentId);
    setEarlier(null);
  }, [writer, documentId]);
  return { kept: hydrated && isNews ? earlier : null, restored, settle };
}
