"use client";

import { useState } from "react";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { mostOfUnit } from "@/lib/domain/segments/conditions";
import type { SegmentFilter } from "@/lib/domain/segments/schema";

type Unit = "days" | "hours";
const units = [
  { value: "days", label: "days" },
  { value: "hours", label: "hours" },
] as const;

/** How far back a condition looks. What is no number within its bounds leaves the condition open. */
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
  const unit: Unit = "hours" in condition ? "hours" : "days";
  const amount = days ?? hours;
  const [typed, setTyped] = useState("");
  const text = amount === undefined ? typed : String(amount);
  const set = (next: number | undefined, of: Unit) => onChange({ ...rest, [of]: next });
  return (
    <div className="flex min-w-0 flex-1 items-start gap-2">
      <Field
        label={unit === "days" ? "Days" : "Hours"}
        labelHidden
        error={
          amount === undefined && typed !== ""
            ? `Enter a whole number from 1 to ${mostOfUnit}.`
            : error
        }
        className="w-24"
      >
        <Input
          value={text}
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          disabled={disabled}
          className="tabular-nums"
          onChange={({ target }) => {
            const next = Number(target.value);
            const fits = Number.isInteger(next) && next >= 1 && next <= mostOfUnit;
            setTyped(target.value);
            set(fits ? next : undefined, unit);
          }}
        />
      </Field>
      <Select
        label="Unit"
        options={units}
        value={unit}
        onChange={(next) => set(amount, next)}
        disabled={disabled}
        className="w-24!"
      />
    </div>
  );
}
