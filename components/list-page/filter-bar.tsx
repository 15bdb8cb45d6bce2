"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { t } from "@/lib/ground/texts/t";
import { isFiltered } from "./filters";
import { useFilters } from "./use-filters";

/** The filters of a list side by side, and the button that clears them once one is set. */
export function FilterBar({
  of,
  query,
  children,
  actions,
}: {
  /** What the list holds, for screen readers. */
  of: string;
  query: Readonly<Record<string, unknown>>;
  children: (set: (changes: Record<string, string>) => void) => ReactNode;
  /** What else can be done with the filters that are set. */
  actions?: ReactNode;
}) {
  const { set, clear, pending } = useFilters();
  return (
    <div
      role="search"
      aria-label={of}
      aria-busy={pending}
      className="mb-5 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      {children(set)}
      <div className="col-span-2 flex flex-wrap gap-2 empty:hidden">
        {isFiltered(query) && (
          <Button variant="ghost" onClick={clear}>
            <X aria-hidden /> {t("Clear filters")}
          </Button>
        )}
        {actions}
      </div>
    </div>
  );
}
