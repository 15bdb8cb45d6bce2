"use client";

import { t } from "@/lib/ground/texts/t";
import { DateFilter } from "./date-filter";

interface Period {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** A first and a last day; neither may pass the other. */
export function PeriodFilter({
  period: { startDate, endDate },
  labels = { from: t("From"), until: t("Until") },
  onChange,
  className,
}: {
  period: Period;
  /** What the days are of, where the list could have others. */
  labels?: { from: string; until: string };
  onChange: (changes: Record<string, string>) => void;
  /** Of each of the two. */
  className?: string;
}) {
  return (
    <>
      <DateFilter
        label={labels.from}
        name="startDate"
        value={startDate}
        max={endDate}
        onChange={(value) => onChange({ startDate: value })}
        className={className}
      />
      <DateFilter
        label={labels.until}
        name="endDate"
        value={endDate}
        min={startDate}
        onChange={(value) => onChange({ endDate: value })}
        className={className}
      />
    </>
  );
}
