import clsx from "clsx";
import type { ReactNode } from "react";
import { t } from "@/lib/ground/texts/t";
import { Link } from "./link";
import { count, percent } from "./numbers";

/** Names and values of one thing. */
export function Facts({ items }: { items: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
      {items.map((item, index) => (
        <div
          key={index}
          className="border-b py-2 last:border-b-0 sm:col-span-2 sm:grid sm:grid-cols-subgrid sm:items-baseline"
        >
          <dt className="text-faint">{item.label}</dt>
          <dd className="min-w-0 wrap-anywhere">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One big number with its name. What there is none of speaks softly. */
export function Figure({
  label,
  value,
  note,
  href,
  minor = false,
}: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  /** The people or mails it counts. */
  href?: string | undefined;
  /** Of less interest than those above it. */
  minor?: boolean;
}) {
  const none = value === count(0) || value === percent(0) || value === "–";
  return (
    <div>
      <dt className="eyebrow">{label}</dt>
      <dd className={clsx("display mt-1", minor ? "text-xl" : "text-3xl", none && "text-faint")}>
        {href === undefined ? (
          value
        ) : (
          <Link
            href={href}
            title={t("Show which")}
            className="underline decoration-rule-strong decoration-1 underline-offset-6 hover:text-accent-ink hover:decoration-current"
          >
            {value}
          </Link>
        )}
      </dd>
      {note && <dd className="mt-0.5 text-xs text-faint">{note}</dd>}
    </div>
  );
}
