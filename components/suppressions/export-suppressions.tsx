"use client";

import { Download } from "lucide-react";
import { useProject } from "@/components/api/project-context";
import { isFiltered, pageHref } from "@/components/list-page/filters";
import { buttonClass } from "@/components/ui/button";
import type { SuppressionQuery } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";

/** All suppressions that match the filters, as a CSV that the browser streams to disk. */
export function ExportSuppressions({ query }: { query: SuppressionQuery }) {
  const { id } = useProject();
  const href = pageHref(`/api/dashboard/${id}/v1/suppressions/export`, query);
  return (
    <a href={href} download="suppressions.csv" className={buttonClass()}>
      <Download aria-hidden /> {isFiltered(query) ? t("Export these") : t("Export all")}
    </a>
  );
}
