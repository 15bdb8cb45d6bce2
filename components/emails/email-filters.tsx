"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { PeriodFilter } from "@/components/list-page/period-filter";
import { SearchField } from "@/components/list-page/search-field";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import { emailStatuses } from "@/db/enums";
import { publicEmailSources, type EmailQuery } from "@/lib/domain/emails/schema";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { sourceWords, statusWord } from "./email-status";

const statusOptions = [
  { value: "", label: "Any status" },
  ...emailStatuses.map((status) => ({ value: status, label: statusWord(status) })),
];
const sourceOptions = [
  { value: "", label: "Any source" },
  ...publicEmailSources.map((source) => ({ value: source, label: sourceWords[source] })),
];

/** Which emails the log shows; kept in the URL. */
export function EmailFilters({
  query,
  views,
}: {
  query: EmailQuery;
  /** The reader's own, of this page. */
  views: SavedViewList;
}) {
  return (
    <FilterBar
      of="Emails"
      query={query}
      actions={<SaveView page="emails" query={query} initial={views} />}
    >
      {(set) => (
        <>
          <SearchField
            label="Search by address"
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:min-w-60 sm:flex-1"
          />
          <Select
            label="Status"
            options={statusOptions}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="sm:w-36!"
          />
          <Select
            label="Source"
            options={sourceOptions}
            value={query.source ?? ""}
            onChange={(source) => set({ source })}
            className="sm:w-40!"
          />
          <PeriodFilter period={query} onChange={set} />
        </>
      )}
    </FilterBar>
  );
}
