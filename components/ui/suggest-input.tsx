"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import clsx from "clsx";
import { useState, type KeyboardEvent } from "react";
import { t } from "@/lib/ground/texts/t";
import { controlClass } from "./control-class";
import { popupClass } from "./popup";

/** A text input that suggests values as you type; any other text is fine, too. Stands in a Field. */
export function SuggestInput({
  value,
  onChange,
  onChoose,
  onKeyDown,
  onBlur,
  suggestions,
  placeholder,
  disabled = false,
  inputMode,
  side = "bottom",
}: {
  value: string;
  onChange: (value: string) => void;
  /** A suggestion was taken; without it that is a change like any other. */
  onChoose?: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  onBlur?: () => void;
  suggestions: readonly string[];
  placeholder?: string;
  disabled?: boolean;
  inputMode?: "text" | "decimal";
  /** Where they open; at the top wherever they would cover what comes next. */
  side?: "top" | "bottom";
}) {
  const [wanted, setWanted] = useState(false);
  const matches = suggestions.filter(
    (suggestion) =>
      suggestion !== value && suggestion.toLowerCase().includes(value.trim().toLowerCase()),
  );
  return (
    <Autocomplete.Root
      items={matches}
      filter={null}
      // An open list hides the rest of the page from screen readers: so an empty one is not shown.
      open={wanted && matches.length > 0}
      onOpenChange={setWanted}
      value={value}
      onValueChange={(next, { reason }) => {
        if (reason === "item-press" && onChoose) onChoose(next);
        else onChange(next);
      }}
      openOnInputClick
      disabled={disabled}
    >
      <Autocomplete.Input
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        placeholder={placeholder}
        inputMode={inputMode}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        className={clsx(controlClass, "h-10")}
      />
      {/* A landmark of its own: axe wants all content in one. */}
      <Autocomplete.Portal role="region" aria-label={t("Suggestions")}>
        <Autocomplete.Positioner
          side={side}
          sideOffset={4}
          collisionAvoidance={{ side: side === "top" ? "none" : "flip" }}
          className="z-50"
        >
          <Autocomplete.Popup className={clsx(popupClass, "min-w-(--anchor-width) p-1")}>
            <Autocomplete.List className="max-h-[min(16rem,calc(var(--available-height)-0.5rem))] overflow-y-auto">
              {(suggestion: string) => (
                <Autocomplete.Item
                  key={suggestion}
                  value={suggestion}
                  className="cursor-default truncate rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover"
                >
                  {suggestion}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
