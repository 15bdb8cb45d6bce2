"use client";

import { useState } from "react";

/** What is ticked of a page of a list. Things that have gone in the meantime are no longer. */
export function useSelection<Item>(items: readonly Item[], idOf: (item: Item) => string) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = items.filter((item) => ticked.has(idOf(item)));
  const choose = (ids: readonly string[], on: boolean) =>
    setTicked((before) => {
      const next = new Set(before);
      for (const id of ids) {
        if (on) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  return {
    chosen,
    has: (id: string) => ticked.has(id),
    choose,
    choosePage: (on: boolean) => choose(items.map(idOf), on),
    clear: () => setTicked(new Set()),
    wholePage: chosen.length > 0 && chosen.length === items.length,
  };
}
