"use client";

import clsx from "clsx";
import { controlClass } from "@/components/ui/control-class";
import { t } from "@/lib/ground/texts/t";

/** One end of the range of days that a list is narrowed to. */
export function DateFilter({
  label,
  name,
  value,
  min,
  max,
  onChange,
  className,
}: {
  label: string;
  name: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (value: string) => void;
  className?: string | undefined;
}) {
  return (
    <label
      title={t("Whole days, UTC")}
      className={clsx(
        controlClass,
        "flex h-10 min-w-0 items-center gap-2 focus-within:outline-2 focus-within:outline-accent sm:w-auto!",
        className,
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
