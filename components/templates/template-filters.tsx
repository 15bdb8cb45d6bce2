"use client";

import { SearchAndOrder } from "@/components/list-page/search-and-order";
import type { TemplateQuery } from "@/lib/domain/templates/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const orders = phrases([
  { value: "", label: "Newest first" },
  { value: "name", label: "By name, A to Z" },
  { value: "-name", label: "By name, Z to A" },
  { value: "-updatedAt", label: "Last changed first" },
  { value: "updatedAt", label: "Longest unchanged first" },
]);

/** Which templates the gallery shows, and in which order. */
export function TemplateFilters({ query }: { query: TemplateQuery }) {
  return (
    <SearchAndOrder
      of={t("Templates")}
      search={t("Search by name")}
      orders={orders}
      byDefault="-createdAt"
      query={query}
    />
  );
}
