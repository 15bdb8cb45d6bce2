"use client";

import { ExportLink } from "@/components/exports/export-link";
import { isFiltered, pageHref } from "@/components/list-page/filters";
import type { SuppressionQuery } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";

/** All suppressions that match the filters, as a CSV. */
export function ExportSuppressions({ query }: { query: SuppressionQuery }) {
  return (
    <ExportLink path={pageHref("/v1/suppressions/export", query)} filename="suppressions.csv">
      {isFiltered(query) ? t("Export these") : t("Export all")}
    </ExportLink>
  );
}
