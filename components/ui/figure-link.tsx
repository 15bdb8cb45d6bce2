import type { ReactNode } from "react";
import { t } from "@/lib/ground/texts/t";
import { Link } from "./link";

/** A figure that opens the people or mails it counts; the figure alone where there are none, or no page has them. */
export function FigureLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return <>{children}</>;
  return (
    // Above the surface of its row's link.
    <Link
      href={href}
      title={t("Show which")}
      className="relative underline decoration-rule-strong decoration-1 underline-offset-4 hover:text-accent-ink hover:decoration-current"
    >
      {children}
    </Link>
  );
}
