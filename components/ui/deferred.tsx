"use client";

import dynamic from "next/dynamic";
import { useEffect, type ComponentType } from "react";

/**
 * A component whose script is loaded when it is first shown, or by `useLoaded` before that. Where the script cannot be
 * loaded, `instead` stands in its place: the page it is on must not fail for it.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
): ComponentType<Props> & { load: () => Promise<unknown> } {
  const loadOrStandIn = () => load().catch(() => instead);
  return Object.assign(dynamic(loadOrStandIn, { ssr: false }), { load: loadOrStandIn });
}

/** Loads one that the page will need at a moment's notice, once the page itself works. */
export function useLoaded({ load }: { load: () => Promise<unknown> }): void {
  useEffect(() => void load(), [load]);
}
