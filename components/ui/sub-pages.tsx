"use client";

import clsx from "clsx";
import { usePathname } from "next/navigation";
import { useEffect, useRef, type RefObject } from "react";
import { Link } from "./link";

/** The look of one of several pages side by side, in a row with a line below it. */
export const subPageClass = (current: boolean) =>
  clsx(
    "-mb-px border-b-2 px-0.5 py-2 text-sm font-medium whitespace-nowrap transition-colors",
    current ? "border-accent text-ink" : "border-transparent text-soft hover:text-ink",
  );

/** For a row of such links that scrolls: on a phone, the current one may be beyond the edge. `key`: which one that is. */
export function useCurrentInView(key: string | undefined): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (row.current && link) row.current.scrollLeft = link.offsetLeft - 24;
  }, [key]);
  return row;
}

/** Navigation between the pages of one thing, below its header. */
export function SubPages({
  label,
  pages,
}: {
  /** For screen readers: `Pages of the list`. */
  label: string;
  pages: readonly { href: string; label: string }[];
}) {
  const current = usePathname();
  const row = useCurrentInView(current);
  return (
    <nav ref={row} aria-label={label} className="relative mb-6 flex gap-5 overflow-x-auto border-b">
      {pages.map((page) => (
        <Link
          key={page.href}
          href={page.href}
          aria-current={current === page.href ? "page" : undefined}
          className={subPageClass(current === page.href)}
        >
          {page.label}
        </Link>
      ))}
    </nav>
  );
}
