"use client";

import { Select as BaseSelect } from "@base-ui/react/select";
import clsx from "clsx";
import { Check, ChevronsUpDown } from "lucide-react";
import { t } from "@/lib/ground/texts/t";
import { controlClass } from "./control-class";
import { popupClass } from "./popup";

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
}

/** One of a few options. Stands in a Field, or alone with `label`. */
export function Select<Value extends string>({
  options,
  value,
  onChange,
  label,
  name,
  disabled = false,
  className,
}: {
  options: readonly SelectOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** Name for screen readers where no Field gives one, or where a form has several: their choices are told apart by it. */
  label?: string;
  name?: string;
  disabled?: boolean;
  className?: string;
}) {
  return (
    <BaseSelect.Root
      items={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
      disabled={disabled}
      {...(name === undefined ? {} : { name })}
    >
      <BaseSelect.Trigger
        aria-label={label}
        className={clsx(
          controlClass,
          "flex h-10 items-center justify-between gap-2 text-left data-popup-open:border-ink",
          className,
        )}
      >
        <BaseSelect.Value className="truncate" />
        <BaseSelect.Icon>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      {/* A landmark of its own: axe wants all content in one. It stays once the control has had the focus. */}
      <BaseSelect.Portal
        role="region"
        aria-label={label === undefined ? t("Choices") : t("Choices: {label}", { label })}
      >
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <BaseSelect.Popup className={clsx(popupClass, "min-w-(--anchor-width) p-1")}>
            <BaseSelect.List className="max-h-80 overflow-y-auto">
              {options.map((option) => (
                <BaseSelect.Item
                  key={option.value}
                  value={option.value}
                  className="grid cursor-default grid-cols-[1rem_1fr] items-baseline gap-x-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover"
                >
                  <BaseSelect.ItemIndicator className="col-start-1 self-center">
                    <Check className="size-4 text-accent-ink" aria-hidden />
                  </BaseSelect.ItemIndicator>
                  <BaseSelect.ItemText className="col-start-2">{option.label}</BaseSelect.ItemText>
                  {option.hint && (
                    <span className="col-start-2 text-xs text-faint">{option.hint}</span>
                  )}
                </BaseSelect.Item>
              ))}
            </BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
