"use client";

import { useMemo } from "react";
import { api, type ApiAnswer, type ApiInput, type ApiRoute } from "@/lib/doors/http/client";
import { useProject } from "./project-context";
import { sessionWatch, type Urgency } from "./session-watch";

/** The API as the page's viewer. What finds the session ended waits until they have signed in again. */
export function useCall() {
  const { id, viewer } = useProject();
  return useMemo(() => {
    const call = api(id, viewer.id);
    return <R extends ApiRoute>(
      route: R,
      input: ApiInput<R>,
      { signal, urgency }: { signal?: AbortSignal; urgency: Urgency },
    ): Promise<ApiAnswer<R>> =>
      sessionWatch.run(() => call(route, input, signal ? { signal } : {}), urgency, signal);
  }, [id, viewer.id]);
}
