"use client";

import { SearchAndOrder } from "@/components/list-page/search-and-order";
import type { FileQuery } from "@/lib/domain/files/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const orders = phrases([
  { value: "", label: "Newest first" },
  { value: "createdAt", label: "Oldest first" },
  { value: "name", label: "By name" },
  { value: "-size", label: "Largest first" },
]);

/** Which files the library shows, and in what order. */
export function MediaFilters({ query }: { query: FileQuery }) {
  return (
    <SearchAndOrder
      of={t("Media")}
      search={t("Search by name or folder")}
      orders={orders}
      byDefault="-createdAt"
      query={query}
    />
  );
}
