"use client";

import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import type { Preflight } from "@/lib/domain/preflight/schema";

/** It reads the audience and requests links, so it runs only once the typing has really stopped. */
const pauseMilliseconds = 1_500;

export interface PreflightState {
  /** The last report; undefined: there is none yet. */
  report: Preflight | undefined;
  /** Why there is no newer one. */
  error: unknown;
  /** A newer one is on its way. */
  checking: boolean;
  retry: () => void;
}

/**
 * What the pre-flight says about the saved campaign; a report stays until the next one is there.
 */
export function usePreflight(id: string, version: string): PreflightState {
  const settled = useSettled(version, pauseMilliseconds);
  const { data, error, isFetching, refetch } = useRead(
    "GET /v1/campaigns/{id}/preflight",
    { params: { id } },
    { version: settled, retry: false, staleTime: 60_000 },
  );
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  return {
    report: data ?? last,
    error: isFetching ? null : error,
    checking: isFetching || settled !== version,
    retry: () => void refetch(),
  };
}
