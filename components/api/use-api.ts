"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useProject } from "./project-context";
import { useCall } from "./use-call";
import type { Urgency } from "./session-watch";
import { invalidateChanged, isWrite, thingIn } from "./query-keys";
import type { ApiAnswer, ApiInput, ApiRoute } from "@/lib/doors/http/client";

const urgencyOf = (route: ApiRoute, unasked = false): Urgency =>
  !isWrite(route) ? "read" : unasked ? "unasked" : "press";

/**
 * The API as the current project's member: `useApi()("POST /v1/contacts", { body })`. Whatever a write
 * changes is fresh on every page afterwards, so callers need not think of it.
 */
export function useApi() {
  const { id } = useProject();
  const call = useCall();
  const queries = useQueryClient();
  return useMemo(() => {
    return async function callAndInvalidate<R extends ApiRoute>(
      route: R,
      input: ApiInput<R>,
      options: {
        signal?: AbortSignal;
        /** Nobody asked for it at this moment, as for what is saved while somebody types. */
        unasked?: boolean;
      } = {},
    ): Promise<ApiAnswer<R>> {
      try {
        return await call(route, input, { ...options, urgency: urgencyOf(route, options.unasked) });
      } finally {
        // A write that failed may have gone through all the same: perhaps only its answer got lost.
        if (isWrite(route)) {
          const deleted = route.startsWith("DELETE ") ? thingIn(input.params) : undefined;
          void invalidateChanged(queries, id, route, deleted);
        }
      }
    };
  }, [id, call, queries]);
}

/** For what bypasses `useApi`, such as an upload: call it with the route once that is done. */
export function useInvalidateChanged(): (route: ApiRoute) => Promise<void> {
  const { id } = useProject();
  const queries = useQueryClient();
  return (route) => invalidateChanged(queries, id, route);
}
