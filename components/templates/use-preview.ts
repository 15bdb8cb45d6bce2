"use client";

import { useEffect, useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useSettled } from "@/components/api/use-settled";
import type { RenderedTemplate } from "@/lib/domain/templates/schema";

/** Sample data as an object; null for any other text. */
export function readSample(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

interface Preview {
  rendered: RenderedTemplate | undefined;
  error: unknown;
}

/**
 * What the server makes of the content when the typing pauses; `rendered` is the last good one while
 * `error` says why there is no newer one. Not a cached read: its key would be the whole content, and
 * hashing a megabyte at every keystroke takes longer than everything else on the page.
 */
export function usePreview(subject: string, body: string, sample: string): Preview {
  const api = useApi();
  const [preview, setPreview] = useState<Preview>({ rendered: undefined, error: null });
  const [settledSubject, settledBody] = [useSettled(subject), useSettled(body)];
  const settledSample = useSettled(sample);
  useEffect(() => {
    const stop = new AbortController();
    const content = {
      subject: settledSubject,
      body: settledBody,
      data: readSample(settledSample) ?? {},
    };
    api("POST /v1/templates/preview", { body: content }, { signal: stop.signal }).then(
      (rendered) => {
        if (!stop.signal.aborted) setPreview({ rendered, error: null });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setPreview(({ rendered }) => ({ rendered, error }));
      },
    );
    return () => stop.abort();
  }, [api, settledSubject, settledBody, settledSample]);
  return preview;
}
