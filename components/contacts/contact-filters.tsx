"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { NamedSelect } from "@/components/named/named-select";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import type { ContactQuery } from "@/lib/domain/contacts/schema";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { ColumnChoice } from "./column-choice";
import type { Column } from "./columns";
import { wireQuery } from "./wire-query";

const subscriptions = phrases([
  { value: "", label: "Any subscription" },
  { value: "true", label: "Subscribed" },
  { value: "false", label: "Not subscribed" },
]);

/** Which contacts the list shows; kept in the URL. */
export function ContactFilters({
  query,
  views,
  segments,
  columns,
}: {
  query: ContactQuery;
  /** The reader's own, of this page. */
  views: SavedViewList;
  /** The project's segments, to choose one. */
  segments: readonly { id: string; name: string }[];
  columns: readonly Column[];
}) {
  return (
    <FilterBar
      of={t("Contacts")}
      query={query}
      actions={
        <>
          <SaveView page="contacts" query={query} initial={views} />
          <ColumnChoice columns={columns} />
        </>
      }
    >
      {(set) => (
        <>
          <SearchField
            label={t("Search by address or name")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:min-w-60 sm:flex-1"
          />
          <Select
            label={t("Subscription")}
            options={subscriptions}
            value={wireQuery(query).subscribed ?? ""}
            onChange={(subscribed) => set({ subscribed })}
            className="sm:w-44!"
          />
          <SearchField
            label={t("Tag")}
            value={query.tag ?? ""}
            onChange={(tag) => set({ tag })}
            className="sm:w-40"
          />
          {segments.length > 0 && (
            <NamedSelect
              of="segment"
              label={t("Segment")}
              none={t("Any segment")}
              known={segments}
              value={query.segmentId ?? ""}
              onChange={(segmentId) => set({ segmentId })}
              className="sm:w-44!"
            />
          )}
        </>
      )}
    </FilterBar>
  );
}
