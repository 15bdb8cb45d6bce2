"use client";

import { useFilters } from "@/components/list/use-filters";
import { SearchField } from "@/components/list/search-field";
import { Select } from "@/components/ui/select";
import { campaignStatuses } from "@/db/enums";
import type { CampaignQuery } from "@/lib/domain/campaigns/schema";
import { campaignWord } from "./campaign-status";

const states = [
  { value: "", label: "Any state" },
  ...campaignStatuses.map((value) => ({ value, label: campaignWord(value) })),
];

/** What the list shows; all of it stands in the URL. */
export function CampaignFilters({ query }: { query: CampaignQuery }) {
  const { set, pending } = useFilters();
  return (
    <div
      role="search"
      aria-label="Campaigns"
      aria-busy={pending}
      className="mb-5 flex flex-wrap items-center gap-2"
    >
      <SearchField
        label="Search by name or subject"
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
