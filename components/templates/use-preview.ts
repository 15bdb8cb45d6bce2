"use client";

import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import type { RenderedTemplate } from "@/lib/domain/templates/schema";

/** Sample data as an object; null for text that is none. */
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

/**
 * What the server makes of the content when the typing pauses; `rendered` is the last good one while
 * `error` says why there is no newer.
 */
export function usePreview(subject: string, body: string, sample: string) {
  const content = {
    subject: useSettled(subject),
    body: useSettled(body),
    data: readSample(useSettled(sample)) ?? {},
  };
  const [good, setGood] = useState<RenderedTemplate>();
  const { data, error } = useRead(
    "POST /v1/templates/preview",
    { body: content },
    { retry: false, staleTime: Infinity, gcTime: 60_000 },
  );
  if (data && data !== good) setGood(data);
  return { rendered: data ?? good, error };
}
