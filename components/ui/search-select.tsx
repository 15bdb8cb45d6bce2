"use client";

import { Combobox } from "@base-ui/react/combobox";
import clsx from "clsx";
import { Check, ChevronsUpDown } from "lucide-react";
import { useId } from "react";
import { t } from "@/lib/ground/texts/t";
import { controlClass } from "./control-class";
import { popupClass } from "./popup";
import type { SelectOption } from "./select";

/** One of many options, found by typing part of its name. Stands in a Field, or alone with `label`. */
export function SearchSelect({
  options,
  chosen,
  onChange,
  search,
  onSearch,
  onOpen,
  note,
  label,
  disabled = false,
  className,
}: {
  /** What the search finds. */
  options: readonly SelectOption<string>[];
  /** What is chosen, also where the search does not find it. */
  chosen: SelectOption<string>;
  onChange: (value: string) => void;
  search: string;
  onSearch: (text: string) => void;
  onOpen?: () => void;
  /** Stands below the options: that there are more, or why there are none. */
  note: string | null;
  /** Name for screen readers where no Field gives one. */
  label?: string;
  disabled?: boolean;
  className?: string;
}) {
  const searchId = useId();
  return (
    <Combobox.Root<SelectOption<string>>
      items={options}
      filter={null}
      value={chosen}
      onValueChange={(next) => {
        if (next) onChange(next.value);
      }}
      isItemEqualToValue={(one, other) => one.value === other.value}
      inputValue={search}
      onInputValueChange={(text, { reason }) => {
        // It also writes the chosen option there.
        if (reason === "input-change" || reason === "input-clear") onSearch(text);
      }}
      onOpenChange={(open) => {
        if (open) onOpen?.();
        else onSearch("");
      }}
      autoHighlight
      disabled={disabled}
    >
      <Combobox.Trigger
        aria-label={label}
        className={clsx(
          controlClass,
          "flex h-10 items-center justify-between gap-2 text-left data-popup-open:border-ink",
          className,
        )}
      >
        <span className="truncate">{chosen.label}</span>
        <Combobox.Icon>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden />
        </Combobox.Icon>
      </Combobox.Trigger>
      {/* A landmark of its own: axe wants all content in one. */}
      <Combobox.Portal
        role="region"
        aria-label={label === undefined ? t("Choices") : t("Choices: {label}", { label })}
      >
        <Combobox.Positioner sideOffset={4} className="z-50">
          <Combobox.Popup
            aria-label={label ?? t("Choices")}
            className={clsx(popupClass, "min-w-(--anchor-width) p-1")}
          >
            {/* Of its own, else the Field would name both the control and this. */}
            <span id={searchId} className="sr-only">
              {t("Search by name")}
            </span>
            <Combobox.Input
              aria-labelledby={searchId}
              placeholder={t("Search by name")}
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              className="mb-1 h-9 w-full rounded-sm border-b bg-transparent px-2 text-base outline-none sm:text-sm"
            />
            <Combobox.List className="max-h-72 overflow-y-auto">
              {(option: SelectOption<string>) => (
                <Combobox.Item
                  key={option.value}
                  value={option}
                  className="grid cursor-default grid-cols-[1rem_1fr] items-baseline gap-x-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover"
                >
                  <Combobox.ItemIndicator className="col-start-1 self-center">
                    <Check className="size-4 text-accent-ink" aria-hidden />
                  </Combobox.ItemIndicator>
                  <span className="col-start-2 truncate">{option.label}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
            <Combobox.Status className="px-2 text-xs text-faint not-empty:py-1.5">
              {note}
            </Combobox.Status>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
