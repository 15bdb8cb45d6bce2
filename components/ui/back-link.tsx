"use client";

import { ChevronLeft } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { Link } from "./link";

const keyOf = (path: string) => `lettermill.list.${path}`;
const never = () => () => undefined;

/** Remembers how the list at `path` is shown now: pages opened from it lead back there. */
export function useRememberedList(path: string, query: unknown): void {
  useEffect(() => {
    if (location.pathname !== path) return;
    const search = new URLSearchParams(location.search);
    // It asks for a dialog, which is not how the list is shown.
    search.delete("new");
    const shown = search.size > 0 ? `?${search}` : "";
    try {
      sessionStorage.setItem(keyOf(path), shown);
    } catch {
      // A browser that keeps nothing leads back to the whole list.
    }
  }, [path, query]);
}

function remembered(path: string): string {
  try {
    return sessionStorage.getItem(keyOf(path)) ?? "";
  } catch {
    return "";
  }
}

/** Back to the list that a page's thing belongs to, with its filters and page as they were left. */
export function BackLink({ href, label }: { href: string; label: string }) {
  const search = useSyncExternalStore(
    never,
    () => remembered(href),
    () => "",
  );
  return (
    <Link
      href={`${href}${search}`}
      className="mb-2 -ml-1 inline-flex items-center gap-0.5 text-sm text-soft hover:text-accent-ink print:hidden"
    >
      <ChevronLeft className="size-4" aria-hidden /> {label}
    </Link>
  );
}
