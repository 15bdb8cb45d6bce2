"use client";

import { useMemo } from "react";
import { useProject } from "./project-context";
import { api } from "@/lib/doors/http/client";

/** The API as the current project's member: `useApi()("GET /v1/emails", { query: { status: "SENT" } })`. */
export function useApi() {
  const { id } = useProject();
  return useMemo(() => api(id), [id]);
}
