"use client";

import { useEffect, useState } from "react";
import { useSettled } from "@/components/api/use-settled";

/**
 * The HTML that the server makes of a draft when typing pauses. While the draft has faults (`inputOf` answers null) or
 * the server refuses it, the last good version stays. `read` and `inputOf` must not change between renders, and
 * `draft` only when what is written does.
 */
export function usePagePreview<Draft, Input>(
  draft: Draft,
  inputOf: (draft: Draft) => Input | null,
  read: (input: Input, signal: AbortSignal) => Promise<{ html: string }>,
): { html: string; error: unknown; busy: boolean } {
  const [preview, setPreview] = useState<{ html: string; error: unknown }>({
    html: "",
    error: null,
  });
  const settled = useSettled(draft);
  useEffect(() => {
    const stop = new AbortController();
    const input = inputOf(settled);
    if (input === null) return;
    read(input, stop.signal).then(
      ({ html }) => {
        if (!stop.signal.aborted) setPreview({ html, error: null });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setPreview(({ html }) => ({ html, error }));
      },
    );
    return () => stop.abort();
  }, [settled, inputOf, read]);
  return { ...preview, busy: settled !== draft };
}
