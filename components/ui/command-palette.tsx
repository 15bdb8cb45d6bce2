"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { CornerDownLeft, Search, type LucideIcon } from "lucide-react";
import { t } from "@/lib/ground/texts/t";
import { unlessCovered } from "./layer";

export interface Command {
  id: string;
  label: string;
  /** Other words it is found by; not shown. */
  keywords?: string;
  /** Shown small at the right. */
  hint?: string;
  icon: LucideIcon;
  run: () => void;
}

export interface CommandGroup {
  label: string;
  items: Command[];
}

/** A list of commands narrowed by typing. The caller opens it and reacts to the text for remote results. */
export function CommandPalette({
  open,
  onOpenChange,
  groups,
  query,
  onQueryChange,
  status,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Already narrowed to `query`. */
  groups: CommandGroup[];
  query: string;
  onQueryChange: (query: string) => void;
  /** Shown below the list while more is being searched for. */
  status?: string | null;
}) {
  const run = (command: Command) => {
    onOpenChange(false);
    command.run();
  };
  return (
    <BaseDialog.Root open={open} onOpenChange={unlessCovered(onOpenChange)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-50 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          aria-label={t("Go to")}
          className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-lg border border-rule-strong bg-sheet shadow-sheet transition-[opacity,transform] outline-none data-ending-style:-translate-y-1 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0"
        >
          <Autocomplete.Root
            items={groups.map((group) => ({ value: group.label, items: group.items }))}
            value={query}
            onValueChange={(value, details) => {
              // Choosing an item would write its label into the box.
              if (details.reason !== "item-press") onQueryChange(value);
            }}
            itemToStringValue={(command: Command) => command.label}
            filter={null}
            open
            inline
            autoHighlight="always"
            keepHighlight
          >
            <div className="flex items-center gap-3 border-b px-4">
              <Search className="size-4 shrink-0 text-faint" aria-hidden />
              <Autocomplete.Input
                aria-label={t("Go to, or find by address, name or id")}
                placeholder={t("Go to, or find by address, name or id")}
                className="h-13 w-full bg-transparent text-base outline-none"
              />
            </div>
            <Autocomplete.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5 empty:hidden">
              {(group: { value: string; items: Command[] }) => (
                <Autocomplete.Group key={group.value} items={group.items} className="pb-1">
                  <Autocomplete.GroupLabel className="eyebrow px-2.5 pt-2 pb-1">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        onClick={() => run(command)}
                        className="group flex cursor-default items-center gap-3 rounded-md px-2.5 py-2 text-sm outline-none data-highlighted:bg-hover"
                      >
                        <command.icon className="size-4 shrink-0 text-faint" aria-hidden />
                        <span className="min-w-0 flex-1 truncate">{command.label}</span>
                        {command.hint && (
                          <span className="max-w-1/2 truncate text-xs text-faint">
                            {command.hint}
                          </span>
                        )}
                        <CornerDownLeft
                          className="invisible size-3.5 shrink-0 text-faint group-data-highlighted:visible"
                          aria-hidden
                        />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <Autocomplete.Status className="px-4 text-sm text-faint not-empty:py-3">
              {status ??
                (groups.length === 0 ? t("Nothing found for “{query}”.", { query }) : null)}
            </Autocomplete.Status>
          </Autocomplete.Root>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
