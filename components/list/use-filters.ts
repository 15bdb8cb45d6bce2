"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTransition } from "react";

/**
 * A list's filters, kept in the URL. `set` changes some of them ("" takes one away) and goes back to
 * the first page; `pending` while the page for the new ones is on its way.
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
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      show(next);
    },
    clear: () => show(new URLSearchParams()),
  };
}

/** `path` with the list's filters and another cursor; null: the first page. */
export function pageHref(
  path: string,
  query: Record<string, string | number | undefined>,
  cursor: string | null,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "" && name !== "cursor" && name !== "limit") {
      search.set(name, String(value));
    }
  }
  if (cursor) search.set("cursor", cursor);
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}
