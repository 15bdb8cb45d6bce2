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
  onChange,
}: {
  period: Period;
  onChange: (changes: Record<string, string>) => void;
}) {
  return (
    <>
      <DateFilter
        label={t("From")}
        name="startDate"
        value={startDate}
        max={endDate}
        onChange={(value) => onChange({ startDate: value })}
      />
      <DateFilter
        label={t("Until")}
        name="endDate"
        value={endDate}
        min={startDate}
        onChange={(value) => onChange({ endDate: value })}
      />
    </>
  );
}
