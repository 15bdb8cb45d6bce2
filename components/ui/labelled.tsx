import { useId, type ReactNode } from "react";

export interface ToggleProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  hint?: ReactNode;
  disabled?: boolean;
  name?: string;
}

/** The control is named by what stands beside it in the server's HTML too: Base UI looks for its label only in the browser. */
export function Labelled({
  label,
  hint,
  children,
}: Pick<ToggleProps, "label" | "hint"> & {
  children: (labelId: string) => ReactNode;
}) {
  const id = useId();
  return (
    <label className="flex items-start gap-2.5 text-sm">
      {children(id)}
      <span id={id}>
        {label}
        {hint && <span className="block text-xs text-faint">{hint}</span>}
      </span>
    </label>
  );
}
