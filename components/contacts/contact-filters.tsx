"use client";

import { ColumnChoice } from "@/components/list-page/column-choice";
import { FilterBar } from "@/components/list-page/filter-bar";
import { FilterChip } from "@/components/list-page/filter-chip";
import { PeriodFilter } from "@/components/list-page/period-filter";
import { SearchField } from "@/components/list-page/search-field";
import { NamedSelect } from "@/components/named/named-select";
import { SaveView } from "@/components/saved-views/save-view";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Select } from "@/components/ui/select";
import type { ContactListQuery } from "@/lib/domain/contacts/list-schema";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";
import { contactColumns, type Column } from "./columns";
import { stateWords } from "./person-status";

const ContactColumnDialog = deferredDialog(() =>
  import("./column-dialog").then((module) => module.ContactColumnDialog),
);

/** What only members of a list can be. */
const ofLists = "unconfirmed";

/** Which contacts the list shows; kept in the URL. */
export function ContactFilters({
  query,
  views,
  segments,
  columns,
}: {
  query: ContactListQuery;
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
          <ColumnChoice
            Dialog={ContactColumnDialog}
            set={contactColumns}
            columns={columns}
            at="contacts"
            about={t("What the list shows beside a person.")}
            own={t("A person’s own")}
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
            className="col-span-2 sm:min-w-60 sm:flex-1"
          />
          <Select
            label={t("Subscription")}
            options={[
              { value: "", label: t("Any subscription") },
              ...Object.entries(stateWords).flatMap(([value, label]) =>
                value === ofLists ? [] : [{ value, label }],
              ),
            ]}
            value={query.state ?? ""}
            onChange={(state) => set({ state })}
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
          <PeriodFilter
            period={query}
            labels={{ from: t("Added from"), until: t("Added until") }}
            onChange={set}
            className="max-sm:col-span-2"
          />
          {query.subscribed !== undefined && (
            <FilterChip
              label={t("Show contacts whether they consented or not")}
              onRemove={() => set({ subscribed: "" })}
            >
              {query.subscribed ? t("With consent") : t("Without consent")}
            </FilterChip>
          )}
        </>
      )}
    </FilterBar>
  );
}
