"use client";

import clsx from "clsx";
import { Labelled, type ToggleProps } from "./labelled";

/** The mark is drawn, not an element of its own: a table has one in each row. */
const checkboxClass = clsx(
  "grid size-4 shrink-0 appearance-none place-content-center rounded-sm border border-control bg-sheet",
  "checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-55",
  "before:size-2.5 before:scale-0 before:bg-on-accent checked:before:scale-100 indeterminate:before:scale-100",
  "before:[clip-path:polygon(14%_44%,0_62%,42%_96%,100%_16%,83%_2%,39%_66%)] indeterminate:before:[clip-path:inset(40%_0)]",
  "forced-colors:appearance-auto forced-colors:before:hidden",
);

/** Chosen or not; `indeterminate` for a header above rows some of which are chosen. */
export function Checkbox({
  checked,
  onChange,
  disabled,
  name,
  indeterminate = false,
  label,
  labelHidden = false,
  hint,
}: ToggleProps & {
  indeterminate?: boolean;
  /** The label is only read out, and there is no hint. */
  labelHidden?: boolean;
}) {
  const input = (labelledBy: string | undefined) => (
    <input
      type="checkbox"
      {...(labelledBy === undefined ? { "aria-label": label } : { "aria-labelledby": labelledBy })}
      checked={checked}
      ref={(element) => {
        // Also what was ticked before the page's scripts ran: React leaves that as it is.
        if (element) Object.assign(element, { checked, indeterminate });
      }}
      onChange={({ target }) => onChange(target.checked)}
      disabled={disabled}
      name={name}
      className={clsx(checkboxClass, "mt-0.5")}
    />
  );
  if (labelHidden) return <label className="flex">{input(undefined)}</label>;
  return (
    <Labelled label={label} hint={hint}>
      {input}
    </Labelled>
  );
}
