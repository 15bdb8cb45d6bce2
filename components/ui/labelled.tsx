import clsx from "clsx";
import { useId, type ReactNode } from "react";

export interface ToggleProps {
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
export function Labelled({
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
