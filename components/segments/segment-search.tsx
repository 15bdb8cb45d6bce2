"use client";

import { useFilters } from "@/components/list/use-filters";
import { SearchField } from "@/components/list/search-field";
import type { SegmentQuery } from "@/lib/domain/segments/schema";

/** Narrows the segments by name; stands in the URL. */
export function SegmentSearch({ query }: { query: SegmentQuery }) {
  const { set, pending } = useFilters();
  return (
    <div role="search" aria-label="Segments" aria-busy={pending} className="mb-5 max-w-md">
      <SearchField
        label="Search by name"
        value={query.search ?? ""}
        onChange={(search) => set({ search })}
      />
    </div>
  );
}
