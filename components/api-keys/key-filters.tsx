"use client";

import { useFilters } from "@/components/list/use-filters";
import { SearchField } from "@/components/list/search-field";
import type { ApiKeyQuery } from "@/lib/domain/api-keys/schema";

/** What the list shows; it stands in the URL. */
export function KeyFilters({ query }: { query: ApiKeyQuery }) {
  const { set, pending } = useFilters();
  return (
    <div role="search" aria-label="API keys" aria-busy={pending} className="mb-5">
      <SearchField
        label="Search by name"
        value={query.search ?? ""}
        onChange={(search) => set({ search })}
        className="w-full sm:w-72"
      />
    </div>
  );
}
