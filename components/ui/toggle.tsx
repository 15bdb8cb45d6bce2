"use client";

import { Switch as BaseSwitch } from "@base-ui/react/switch";
import clsx from "clsx";
import { Check, Minus } from "lucide-react";
import { useId, type ReactNode } from "react";

interface ToggleProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Stands beside the control, or is only read out if `labelHidden`. */
  label: string;
  labelHidden?: boolean;
  hint?: ReactNode;
  disabled?: boolean;
  name?: string;
}

/** The control is named by what stands beside it in the server's HTML too: Base UI looks for its label only in the browser. */
function Labelled({
  label,
  labelHidden,
  hint,
  children,
}: Pick<ToggleProps, "label" | "labelHidden" | "hint"> & {
  children: (labelId: string) => ReactNode;
}) {
  const id = useId();
  return (
    <label className="flex items-start gap-2.5 text-sm">
      {children(id)}
      <span id={id} className={clsx(labelHidden && "sr-only")}>
        {label}
        {hint && <span className="block text-xs text-faint">{hint}</span>}
      </span>
    </label>
  );
}

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

/** Chosen or not; `indeterminate` for a header above rows some of which are chosen. */
export function Checkbox({
  checked,
  onChange,
  disabled,
  name,
  indeterminate = false,
  ...text
}: ToggleProps & { indeterminate?: boolean }) {
  const Mark = indeterminate ? Minus : Check;
  return (
    <Labelled {...text}>
      {(labelId) => (
        <span className="relative mt-0.5 flex size-4 shrink-0">
          {/* The browser's own: a table has one in each row. */}
          <input
            type="checkbox"
            aria-labelledby={labelId}
            checked={checked}
            ref={(element) => {
              // Also what was ticked before the page's scripts ran: React leaves that as it is.
              if (element) Object.assign(element, { checked, indeterminate });
            }}
            onChange={({ target }) => onChange(target.checked)}
            disabled={disabled}
            name={name}
            className="peer size-4 appearance-none rounded-sm border border-control bg-sheet checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-55"
          />
          <Mark
            className="pointer-events-none absolute inset-0 m-auto hidden size-3 text-on-accent peer-checked:block peer-indeterminate:block"
            strokeWidth={3}
            aria-hidden
          />
        </span>
      )}
    </Labelled>
  );
}
