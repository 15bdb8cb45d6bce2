import clsx from "clsx";
import type { VariantName } from "@/db/enums";

/** A variant's letter, as a piece of type. */
export function VariantMark({
  variant,
  won = false,
  className,
}: {
  variant: VariantName;
  won?: boolean;
  className?: string;
}) {
  return (
    <span
      aria-hidden
      className={clsx(
        "display flex size-7 shrink-0 items-center justify-center rounded-sm border text-sm",
        won ? "border-success bg-success-wash text-success" : "border-rule-strong text-soft",
        className,
      )}
    >
      {variant}
    </span>
  );
}
