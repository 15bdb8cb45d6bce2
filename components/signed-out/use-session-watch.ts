"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Viewer } from "@/components/api/project-context";
import { sessionWatch, standingOf, type Standing } from "@/components/api/session-watch";
import { api, ApiError } from "@/lib/doors/http/client";
import { focusBefore, isPress, isWriting } from "./focus";

/** Keys that are on their way to the page must not land in the password's field. */
const pauseMilliseconds = 700;

const signedIn: Standing = { kind: "in" };

/** Asks the server whether the viewer is signed in and may open the project; null when it does not say. */
async function look(projectId: string, viewerId: string): Promise<Standing | null> {
  try {
    await api(projectId, viewerId)("GET /v1/project", {});
    return signedIn;
  } catch (error) {
    const isBarred = error instanceof ApiError && (error.status === 403 || error.status === 404);
    return standingOf(error) ?? (isBarred ? { kind: "barred" } : null);
  }
}

/**
 * Watches over the page's session: whoever comes back to the tab may have signed in elsewhere. `open`: ask now.
 * `focusBack`: the element that had the focus before.
 */
export function useSessionWatch(projectId: string, { id: viewerId }: Viewer) {
  const { standing, asking } = useSyncExternalStore(
    sessionWatch.subscribe,
    sessionWatch.getState,
    sessionWatch.getState,
  );
  const queries = useQueryClient();
  const lastWritten = useRef<HTMLElement>(null);
  const lastKey = useRef(-Infinity);
  const before = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => sessionWatch.attend(() => look(projectId, viewerId)), [projectId, viewerId]);
  useEffect(
    () =>
      sessionWatch.onReturn(() => {
        // What waited is on its way; the rest may have changed in the meantime.
        void queries.invalidateQueries(
          { predicate: ({ queryKey }) => String(queryKey[2]).startsWith("GET ") },
          { cancelRefetch: false },
        );
      }),
    [queries],
  );
  useEffect(() => {
    const onPress = (event: Event) => isPress(event) && sessionWatch.press();
    const onKey = (event: Event) => {
      if (isWriting(event)) lastKey.current = performance.now();
    };
    const onFocus = (event: Event) => {
      if (isWriting(event) && !(event.target as Element).closest("[data-signed-out]")) {
        lastWritten.current = event.target as HTMLElement;
      }
    };
    const onReturn = () => {
      if (document.visibilityState === "visible") void sessionWatch.check();
    };
    const listening = new AbortController();
    const { signal } = listening;
    const early = { capture: true, signal };
    document.addEventListener("click", onPress, early);
    document.addEventListener("submit", onPress, early);
    document.addEventListener("keydown", onKey, early);
    document.addEventListener("focusin", onFocus, early);
    document.addEventListener("visibilitychange", onReturn, { signal });
    window.addEventListener("focus", onReturn, { signal });
    return () => listening.abort();
  }, []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      const left = asking ? lastKey.current + pauseMilliseconds - performance.now() : 0;
      if (left > 0) {
        timer = setTimeout(show, left);
        return;
      }
      if (asking) before.current = focusBefore(document.activeElement, lastWritten.current);
      setOpen(asking);
    };
    show();
    return () => clearTimeout(timer);
  }, [asking]);
  return {
    standing,
    open,
    asking,
    focusBack: () => focusBefore(before.current, lastWritten.current) ?? true,
  };
}
