"use client";

import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

/** Views of one thing. Panels that are not shown are not rendered. */
export function Tabs({
  tabs,
  value,
  onChange,
  label,
}: {
  tabs: readonly { value: string; label: string; content: ReactNode }[];
  /** Given with `onChange`: the caller keeps which one is shown, in the URL for instance. */
  value?: string;
  onChange?: (value: string) => void;
  /** Name for screen readers. */
  label: string;
}) {
  return (
    <BaseTabs.Root
      defaultValue={value ?? tabs[0]?.value}
      {...(value !== undefined && onChange
        ? { value, onValueChange: (next: unknown) => onChange(String(next)) }
        : {})}
    >
      <BaseTabs.List
        aria-label={label}
        className="relative flex gap-5 overflow-x-auto border-b [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-0.5 py-2 text-sm font-medium whitespace-nowrap text-soft transition-colors hover:text-ink focus-visible:outline-offset-[-2px] data-active:border-accent data-active:text-ink"
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
