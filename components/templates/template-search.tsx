"use client";

import { useFilters } from "@/components/list/use-filters";
import { SearchField } from "@/components/list/search-field";
import type { TemplateQuery } from "@/lib/domain/templates/schema";

/** Narrows the templates by name; stands in the URL. */
export function TemplateSearch({ query }: { query: TemplateQuery }) {
  const { set, pending } = useFilters();
  return (
    <div role="search" aria-label="Templates" aria-busy={pending} className="mb-5 max-w-md">
      <SearchField
        label="Search by name"
        value={query.search ?? ""}
        onChange={(search) => set({ search, page: "" })}
      />
    </div>
  );
}
