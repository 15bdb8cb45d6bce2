"use client";

import { useEffect, useMemo, useState } from "react";
import { useSettled } from "@/components/api/use-settled";

/** Something in the draft is not valid, which its fields say once it is saved. */
export const unchecked = new Error("The draft has faults.");

/**
 * The HTML that the server makes of a draft when typing pauses. While the draft has faults (`inputOf` answers null) or
 * the server refuses it, the last good version stays. `read` and `inputOf` must not change between renders, and
 * `draft` only when what is written does. `busy`: what is shown is not yet of what is written.
 */
export function usePagePreview<Draft, Input>(
  draft: Draft,
  inputOf: (draft: Draft) => Input | null,
  read: (input: Input, signal: AbortSignal) => Promise<{ html: string }>,
): { html: string; error: unknown; busy: boolean } {
  const [preview, setPreview] = useState<{ html: string; error: unknown; of: object | null }>({
    html: "",
    error: null,
    of: null,
  });
  const settled = useSettled(draft);
  const asked = useMemo(() => ({ input: inputOf(settled), read }), [settled, inputOf, read]);
  useEffect(() => {
    const stop = new AbortController();
    if (asked.input === null) return;
    asked.read(asked.input, stop.signal).then(
      ({ html }) => {
        if (!stop.signal.aborted) setPreview({ html, error: null, of: asked });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setPreview(({ html }) => ({ html, error, of: asked }));
      },
    );
    return () => stop.abort();
  }, [asked]);
  const isFaulty = asked.input === null;
  return {
    html: preview.html,
    error: isFaulty ? unchecked : preview.error,
    busy: settled !== draft || (!isFaulty && preview.of !== asked),
  };
}
