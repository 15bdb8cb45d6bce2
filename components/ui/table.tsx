import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "./link";

/** A table with a name for screen readers; scrolls sideways when the screen is too narrow. */
export function Table({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    // Positioned, or what is hidden inside (sr-only) would widen the page instead of the table.
    <div className="relative overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className={clsx("w-full border-collapse text-sm", className)}>
        <caption className="sr-only">{label}</caption>
        {children}
      </table>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead>
      <tr className="border-b border-rule-strong">{children}</tr>
    </thead>
  );
}

export function HeaderCell({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...rest}
      className={clsx("eyebrow px-3 py-2 text-left first:pl-0 last:pr-0", className)}
    />
  );
}

/** A row; with a RowLink inside, all of it opens the thing. */
export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      {...rest}
      className={clsx(
        "relative border-b transition-colors last:border-b-0 has-[a[data-row-link]]:hover:bg-hover",
        className,
      )}
    />
  );
}

export function Cell({ className, ...rest }: ComponentProps<"td">) {
  return (
    <td {...rest} className={clsx("px-3 py-2.5 align-middle first:pl-0 last:pr-0", className)} />
  );
}

/** The link of a row: its text is in one cell, its surface is the row. Other controls need `relative`. */
export function RowLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      data-row-link=""
      className={clsx(
        "font-medium text-ink after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent",
        className,
      )}
    />
  );
}
