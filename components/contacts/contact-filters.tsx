"use client";

import { X } from "lucide-react";
import { useFilters } from "@/components/list/use-filters";
import { Button } from "@/components/ui/button";
import { SearchField } from "@/components/list/search-field";
import { Select } from "@/components/ui/select";
import type { ContactQuery } from "@/lib/domain/contacts/schema";
import { isFiltered, wireQuery } from "./wire-query";

const subscriptions = [
  { value: "", label: "Any subscription" },
  { value: "true", label: "Subscribed" },
  { value: "false", label: "Not subscribed" },
] as const;

/** Whom the list shows; all of it stands in the URL. */
export function ContactFilters({
  query,
  segments,
}: {
  query: ContactQuery;
  /** The project's segments, to choose one. */
  segments: readonly { id: string; name: string }[];
}) {
  const { set, clear, pending } = useFilters();
  return (
    <div
      role="search"
      aria-label="Contacts"
      aria-busy={pending}
      className="mb-5 flex flex-wrap items-center gap-2"
    >
      <SearchField
        label="Search by address or name"
        value={query.search ?? ""}
        onChange={(search) => set({ search })}
        className="w-full sm:w-auto sm:min-w-60 sm:flex-1"
      />
      <Select
        label="Subscription"
        options={subscriptions}
        value={wireQuery(query).subscribed ?? ""}
        onChange={(subscribed) => set({ subscribed })}
        className="sm:w-44!"
      />
      <SearchField
        label="Tag"
        value={query.tag ?? ""}
        onChange={(tag) => set({ tag })}
        className="w-full sm:w-40"
      />
      {segments.length > 0 && (
        <Select
          label="Segment"
          options={[
            { value: "", label: "Any segment" },
            ...segments.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={query.segmentId ?? ""}
          onChange={(segmentId) => set({ segmentId })}
          className="sm:w-44!"
        />
      )}
      {isFiltered(query) && (
        <Button variant="ghost" onClick={clear}>
          <X aria-hidden /> Clear filters
        </Button>
      )}
    </div>
  );
}
