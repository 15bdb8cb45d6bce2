"use client";

import { ColumnChoice } from "@/components/list-page/column-choice";
import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import { campaignStatuses } from "@/db/enums";
import type { CampaignQuery } from "@/lib/domain/campaigns/schema";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";
import { campaignColumns, type CampaignColumn } from "./columns";
import { campaignWord } from "./campaign-status";

/** Which campaigns the list shows; kept in the URL. */
export function CampaignFilters({
  query,
  views,
  columns,
}: {
  query: CampaignQuery;
  /** The reader's own, of this page. */
  views: SavedViewList;
  columns: readonly CampaignColumn[];
}) {
  return (
    <FilterBar
      of={t("Campaigns")}
      query={query}
      actions={
        <>
          <SaveView page="campaigns" query={query} initial={views} />
          <ColumnChoice
            set={campaignColumns}
            columns={columns}
            at="campaigns"
            about={t("What the list shows beside a campaign and its status.")}
            own={t("A campaign’s own")}
          />
        </>
      }
    >
      {(set) => (
        <>
          <SearchField
            label={t("Search by name or subject")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:w-72"
          />
          <Select
            label={t("Status")}
            options={[
              { value: "", label: t("Any status") },
              ...campaignStatuses.map((value) => ({ value, label: campaignWord(value) })),
            ]}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="sm:w-44!"
          />
        </>
      )}
    </FilterBar>
  );
}
