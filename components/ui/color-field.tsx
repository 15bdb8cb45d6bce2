"use client";

import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { Button } from "./button";

/** A colour of its own, or the standard one. */
export function ColorField({
  label,
  value,
  standard,
  onChange,
  onStandard,
  swatches = [],
  disabled = false,
}: {
  label: string;
  value: string | null;
  /** Shown while there is none of its own. */
  standard: string;
  onChange: (color: string) => void;
  /** Takes its own colour away. */
  onStandard?: () => void;
  /** Colours that are one press away. */
  swatches?: readonly string[];
  disabled?: boolean;
}) {
  const shown = (value ?? standard).toLowerCase();
  const field = (
    <div className="flex items-center gap-2 text-sm">
      <label className="flex flex-1 items-center gap-2.5">
        <input
          type="color"
          value={value ?? standard}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
          className="h-8 w-10 cursor-pointer rounded-md border border-control bg-sheet p-0.5"
        />
        <span className="flex-1">{label}</span>
        <span className="font-mono text-xs text-soft">{value ?? standard}</span>
      </label>
      {onStandard && value !== null && !disabled && (
        <Button size="sm" variant="ghost" onClick={onStandard}>
          {rich("Reset<hidden> {label}</hidden>", {
            label,
            hidden: (words) => <span className="sr-only">{words}</span>,
          })}
        </Button>
      )}
    </div>
  );
  if (swatches.length === 0 || disabled) return field;
  return (
    <div className="flex flex-col gap-1.5">
      {field}
      <div
        role="group"
        aria-label={t("Brand colours for {label}", { label })}
        className="flex flex-wrap gap-1"
      >
        {swatches.map((swatch) => (
          <button
            key={swatch}
            type="button"
            title={swatch}
            aria-label={`${label}: ${swatch}`}
            aria-pressed={swatch === shown}
            onClick={() => onChange(swatch)}
            className="size-6 rounded-sm border border-control aria-pressed:outline-2 aria-pressed:outline-offset-1 aria-pressed:outline-accent"
            style={{ backgroundColor: swatch }}
          />
        ))}
      </div>
    </div>
  );
}
