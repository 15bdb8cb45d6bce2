"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTransition } from "react";

/**
 * A list's filters, kept in the URL. `set` changes some of them ("" removes one) and goes back to the first
 * page; `clear` keeps the order; `pending` is true while the page for the new ones loads.
 */
export function useFilters(): {
  pending: boolean;
  set: (changes: Record<string, string>) => void;
  clear: () => void;
} {
  const router = useRouter();
  const path = usePathname();
  const current = useSearchParams();
  const [pending, start] = useTransition();
  const show = (search: URLSearchParams) => {
    const text = search.toString();
    start(() => router.replace(text ? `${path}?${text}` : path, { scroll: false }));
  };
  return {
    pending,
    set: (changes) => {
      const next = new URLSearchParams(current);
      next.delete("cursor");
      next.delete("page");
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      show(next);
    },
    clear: () => {
      const sort = current.get("sort");
      show(new URLSearchParams(sort ? { sort } : {}));
    },
  };
}
