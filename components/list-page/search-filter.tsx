"use client";

import { t } from "@/lib/ground/texts/t";
import { SearchField } from "./search-field";
import { useFilters } from "./use-filters";

/** The only filter of a list that can just be searched; kept in the URL. */
export function SearchFilter({
  of,
  label = t("Search by name"),
  value,
}: {
  /** What the list holds, for screen readers. */
  of: string;
  label?: string;
  value: string | undefined;
}) {
  const { set, pending } = useFilters();
  return (
    <div role="search" aria-label={of} aria-busy={pending} className="mb-5 max-w-md">
      <SearchField label={label} value={value ?? ""} onChange={(search) => set({ search })} />
    </div>
  );
}
