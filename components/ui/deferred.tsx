"use client";

import dynamic from "next/dynamic";
import { useEffect, useState, type ComponentType } from "react";

/**
 * A component whose script is loaded when it is first shown, or by `useLoaded` before that. Where the script cannot be
 * loaded, `instead` stands in its place: the page it is on must not fail for it.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
): ComponentType<Props> & { load: () => Promise<unknown> } {
  let loaded: ComponentType<Props> | null = null;
  const loadOrStandIn = async () => (loaded = await load().catch(() => instead));
  const Late = dynamic(loadOrStandIn, { ssr: false });
  function Deferred(props: Props) {
    // What is there is shown at once: React holds back for 300 ms what it had to wait for, and keys go elsewhere meanwhile.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Late);
    return <Shown {...props} />;
  }
  return Object.assign(Deferred, { load: loadOrStandIn });
}

/** Loads one that the page will need at a moment's notice, once the page itself works. */
export function useLoaded({ load }: { load: () => Promise<unknown> }): void {
  useEffect(() => void load(), [load]);
}
