"use client";

import { useEffect } from "react";

/** Opens the entry that the address names: not every browser does, and none after a client-side navigation. */
export function OpenTarget() {
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const entry = target?.closest("details");
      if (!entry) return;
      entry.open = true;
      target?.scrollIntoView();
    };
    open();
    window.addEventListener("hashchange", open);
    return () => window.removeEventListener("hashchange", open);
  }, []);
  return null;
}
