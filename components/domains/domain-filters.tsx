"use client";

import { useFilters } from "@/components/list/use-filters";
import { SearchField } from "@/components/list/search-field";
import { Select } from "@/components/ui/select";
import type { DomainQuery } from "@/lib/domain/sending-domains/schema";

const states = [
  { value: "", label: "Any state" },
  { value: "VERIFIED", label: "Verified" },
  { value: "PENDING", label: "Waiting for DNS" },
  { value: "FAILED", label: "Not verified" },
] as const;

/** What the list shows; all of it stands in the URL. */
export function DomainFilters({ query }: { query: DomainQuery }) {
  const { set, pending } = useFilters();
  return (
    <div
      role="search"
      aria-label="Domains"
      aria-busy={pending}
      className="mb-5 flex flex-wrap items-center gap-2"
    >
      <SearchField
        label="Search by name"
        value={query.search ?? ""}
        onChange={(search) => set({ search })}
        className="w-full sm:w-72"
      />
      <Select
        label="State"
        options={states}
        value={query.status ?? ""}
        onChange={(status) => set({ status })}
        className="sm:w-44!"
      />
    </div>
  );
}
