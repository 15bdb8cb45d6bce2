"use client";

import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import clsx from "clsx";
import { useId } from "react";

/** One of two to four options that each need a sentence. */
export function ChoiceCards<Value extends string>({
  label,
  options,
  value,
  onChange,
  error = null,
  stacked = false,
}: {
  label: string;
  options: readonly { value: Value; label: string; hint: string }[];
  /** null: nothing is chosen yet. */
  value: Value | null;
  onChange: (value: Value) => void;
  error?: string | null;
  /** One below the other, where there is little room. */
  stacked?: boolean;
}) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <RadioGroup<Value | null>
        value={value}
        onValueChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
        aria-label={label}
        className={clsx(
          "grid gap-2",
          !stacked && (options.length === 3 ? "md:grid-cols-3" : "sm:grid-cols-2"),
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer items-start gap-2.5 rounded-md border border-control bg-sheet px-3 py-2.5 transition-colors hover:border-ink has-data-checked:border-accent has-data-checked:bg-accent-wash"
          >
            <Radio.Root
              value={option.value}
              // Said here, since Base UI looks for its label only in the browser.
              aria-labelledby={`${id}-${option.value}`}
              className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-sheet data-checked:border-accent"
            >
              <Radio.Indicator className="size-2 rounded-full bg-accent" />
            </Radio.Root>
            <span id={`${id}-${option.value}`} className="text-sm">
              <span className="font-medium">{option.label}</span>
              <span className="block text-xs text-soft">{option.hint}</span>
            </span>
          </label>
        ))}
      </RadioGroup>
      {error && (
        <p role="alert" className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
