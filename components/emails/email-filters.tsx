"use client";

import clsx from "clsx";
import { FilterBar } from "@/components/list/filter-bar";
import { SearchField } from "@/components/list/search-field";
import { controlClass } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { emailStatuses } from "@/db/enums";
import { publicEmailSources, type EmailQuery } from "@/lib/domain/emails/schema";
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
export function EmailFilters({ query }: { query: EmailQuery }) {
  return (
    <FilterBar of="Emails" query={query}>
      {(set) => (
        <>
          <SearchField
            label="Search by address or name"
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
          <DateFilter
            label="From"
            name="startDate"
            value={query.startDate}
            max={query.endDate}
            onChange={(startDate) => set({ startDate })}
          />
          <DateFilter
            label="Until"
            name="endDate"
            value={query.endDate}
            min={query.startDate}
            onChange={(endDate) => set({ endDate })}
          />
        </>
      )}
    </FilterBar>
  );
}

function DateFilter({
  label,
  name,
  value,
  min,
  max,
  onChange,
}: {
  label: string;
  name: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <label
      title="Whole days, UTC"
      className={clsx(
        controlClass,
        "flex h-10 min-w-0 items-center gap-2 focus-within:outline-2 focus-within:outline-accent sm:w-auto!",
      )}
    >
      <span className="text-xs text-faint">{label}</span>
      <input
        // The browser owns the parts of a date that is being typed.
        key={value ?? ""}
        type="date"
        name={name}
        defaultValue={value?.slice(0, 10)}
        min={min?.slice(0, 10)}
        max={max?.slice(0, 10)}
        onChange={({ target }) => {
          // 0002-01-01 on the way to 2026-01-01.
          if (target.value === "" || target.value >= "2000") onChange(target.value);
        }}
        className="min-w-0 flex-1 bg-transparent text-sm outline-none"
      />
    </label>
  );
}
