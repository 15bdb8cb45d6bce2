import type { ReactNode } from "react";

/** What can be done with what is chosen of a list; always there, so that the table does not move. */
export function SelectionBar({
  label,
  words,
  children,
}: {
  /** For screen readers: `Selected contacts`. */
  label: string;
  /** How many are chosen, or what choosing is for. */
  words: string;
  /** Nothing while nothing is chosen. */
  children: ReactNode;
}) {
  return (
    <div
      className="flex min-h-10 flex-wrap items-center gap-2 border-b pb-2"
      role="toolbar"
      aria-label={label}
    >
      <span className="mr-auto text-sm text-soft" aria-live="polite">
        {words}
      </span>
      {children}
    </div>
  );
}
