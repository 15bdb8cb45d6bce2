"use client";

import { useEffect, useState, type ComponentType } from "react";

/** Of waiting, before something says so: what comes sooner is simply there. */
const unnoticedMs = 200;

/**
 * A component whose script is loaded when it is first shown, or by `useLoaded` before that. Where the script cannot be
 * loaded, `instead` stands in its place: the page it is on must not fail for it. Where it takes long, `meanwhile` does.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
  meanwhile?: ComponentType<Props>,
): ComponentType<Props> & { load: () => Promise<unknown>; isLoaded: () => boolean } {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props> | null> | null = null;
  const loadOnce = () =>
    (loading ??= load()
      .then((component) => (loaded = component))
      // Asked for again, it is tried again.
      .catch(() => (loading = null)));
  // Without Suspense: React holds back for 300 ms what it had to wait for, and keys go elsewhere meanwhile.
  function Deferred(props: Props) {
    const [Shown, setShown] = useState<ComponentType<Props> | null>(() => loaded);
    const [isLate, setLate] = useState(false);
    useEffect(() => {
      if (Shown) return;
      let gone = false;
      const wait = setTimeout(() => setLate(true), unnoticedMs);
      void loadOnce().then((component) => {
        if (!gone) setShown(() => component ?? instead);
      });
      return () => {
        gone = true;
        clearTimeout(wait);
      };
    }, [Shown]);
    const Now = Shown ?? (isLate ? meanwhile : null);
    return Now && <Now {...props} />;
  }
  return Object.assign(Deferred, { load: loadOnce, isLoaded: () => loaded !== null });
}

const signs = ["pointermove", "pointerdown", "keydown", "wheel"] as const;
let presence: Promise<void> | null = null;

/** Resolves at the first sign that somebody is at the page. */
const somebodyIsThere = () =>
  (presence ??= new Promise((resolve) => {
    const seen = new AbortController();
    for (const sign of signs) {
      window.addEventListener(
        sign,
        () => {
          seen.abort();
          resolve();
        },
        { capture: true, passive: true, signal: seen.signal },
      );
    }
  }));

/**
 * Loads what people will need at a moment's notice as soon as there are any: the page itself comes first. `may`: false
 * for those who cannot open it, and while there is nothing to open it with.
 */
export function useLoaded({ load }: { load: () => Promise<unknown> }, may = true): void {
  useEffect(() => {
    if (!may) return;
    let gone = false;
    void somebodyIsThere().then(() => {
      if (!gone) void load();
    });
    return () => {
      gone = true;
    };
  }, [load, may]);
}
