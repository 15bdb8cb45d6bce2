"use client";

import { Select } from "@/components/ui/select";
import { mostOfUnit } from "@/lib/domain/segments/condition-schema";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { t } from "@/lib/ground/texts/t";
import { WholeNumber } from "./whole-number";

const units = ["days", "hours"] as const;

/** How far back a condition looks. */
export function ConditionPeriod({
  condition,
  onChange,
  error,
  disabled,
}: {
  condition: SegmentFilter;
  onChange: (condition: SegmentFilter) => void;
  error: string | null;
  disabled: boolean;
}) {
  const { days, hours, ...rest } = condition;
  const unit = "hours" in condition ? "hours" : "days";
  const amount = days ?? hours;
  return (
    <div className="flex min-w-0 items-start gap-2">
      <WholeNumber
        label={unit === "days" ? t("Days") : t("Hours")}
        value={amount}
        least={1}
        most={mostOfUnit}
        onChange={(next) => onChange({ ...rest, [unit]: next })}
        error={error}
        disabled={disabled}
      />
      <Select
        label={t("Unit")}
        options={units.map((value) => ({
          value,
          label: t("{unit, select, days {days} other {hours}}", { unit: value }),
        }))}
        value={unit}
        onChange={(next) => onChange({ ...rest, [next]: amount })}
        disabled={disabled}
        className="w-24!"
      />
    </div>
  );
}
