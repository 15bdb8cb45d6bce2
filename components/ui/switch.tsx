"use client";

import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { Labelled, type ToggleProps } from "./labelled";

/** On or off, with immediate effect. */
export function Switch({ checked, onChange, disabled, name, ...text }: ToggleProps) {
  return (
    <Labelled {...text}>
      {(labelId) => (
        <BaseSwitch.Root
          aria-labelledby={labelId}
          checked={checked}
          onCheckedChange={onChange}
          disabled={disabled ?? false}
          {...(name === undefined ? {} : { name })}
          className="relative mt-px h-5 w-9 shrink-0 rounded-full border border-control bg-sunken transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
        >
          <BaseSwitch.Thumb className="absolute top-1/2 left-0.5 size-3.5 -translate-y-1/2 rounded-full bg-ink transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
        </BaseSwitch.Root>
      )}
    </Labelled>
  );
}
