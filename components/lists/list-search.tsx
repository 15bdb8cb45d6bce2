"use client";

import { useFilters } from "@/components/list/use-filters";
import { SearchField } from "@/components/list/search-field";
import type { ListQuery } from "@/lib/domain/lists/schema";

/** What the list of lists shows; it stands in the URL. */
export function ListSearch({ query }: { query: ListQuery }) {
  const { set, pending } = useFilters();
  return (
    <div role="search" aria-label="Lists" aria-busy={pending} className="mb-5">
      <SearchField
        label="Search by name"
        value={query.search ?? ""}
        onChange={(search) => set({ search })}
        className="w-full sm:w-72"
      />
    </div>
  );
}
