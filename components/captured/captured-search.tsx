"use client";

import { useFilters } from "@/components/list/use-filters";
import { SearchField } from "@/components/list/search-field";

/** Narrows the captured mailbox; stands in the URL. */
export function CapturedSearch({ query }: { query: { search?: string | undefined } }) {
  const { set, pending } = useFilters();
  return (
    <div role="search" aria-label="Captured messages" aria-busy={pending} className="mb-5 max-w-md">
      <SearchField
        label="Search by address or subject"
        value={query.search ?? ""}
        onChange={(search) => set({ search })}
      />
    </div>
  );
}
