"use client";

import { ColumnChoice } from "@/components/list-page/column-choice";
import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import type { MailingListDetail, SubscriberQuery } from "@/lib/domain/lists/schema";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";
import { useMailingList } from "./list-header";
import { fieldNames, subscriberColumns, type SubscriberColumn } from "./subscriber-columns";
import { memberStatuses } from "./subscriber-status";

/** Which of a list's subscribers are shown; kept in the URL. */
export function SubscriberFilters({
  list: initialList,
  query,
  views,
  columns,
}: {
  list: MailingListDetail;
  query: SubscriberQuery;
  /** The reader's own, of every list. */
  views: SavedViewList;
  columns: readonly SubscriberColumn[];
}) {
  const list = useMailingList(initialList).data;
  const names = fieldNames(list);
  return (
    <FilterBar
      of={t("Subscribers")}
      query={query}
      actions={
        <>
          <SaveView page="subscribers" query={query} initial={views} />
          <ColumnChoice
            set={subscriberColumns}
            columns={columns}
            at={`lists/${list.id}`}
            about={t("What this list shows beside a person.")}
            own={t("A subscriber’s own")}
            {...(names.length > 0 && { fields: { names } })}
          />
        </>
      }
    >
      {(set) => (
        <>
          <SearchField
            label={t("Search by address or name")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:w-72"
          />
          <Select
            label={t("Status")}
            options={[
              { value: "", label: t("Any status") },
              ...Object.entries(memberStatuses).map(([value, { label }]) => ({ value, label })),
            ]}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="sm:w-48!"
          />
        </>
      )}
    </FilterBar>
  );
}
