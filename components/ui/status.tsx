import clsx from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export type Tone = "neutral" | "info" | "success" | "warning" | "danger" | "accent";

const tones: Record<Tone, string> = {
  neutral: "bg-neutral-wash text-soft",
  info: "bg-info-wash text-info",
  success: "bg-success-wash text-success",
  warning: "bg-warning-wash text-warning",
  danger: "bg-danger-wash text-danger",
  accent: "bg-accent-wash text-accent-ink",
};

/** A state: colour, word and shape together, never colour alone. */
export function Status({
  tone,
  icon: Icon,
  children,
  className,
}: {
  tone: Tone;
  icon: LucideIcon;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      data-testid="status"
      className={clsx(
        "inline-flex items-center gap-1.5 rounded-sm py-0.5 pr-2 pl-1.5 text-xs font-medium whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      <Icon className="size-3.5 shrink-0" strokeWidth={2.25} aria-hidden />
      {children}
    </span>
  );
}

/** A label without a state: a mode, a scope, a tag. */
export function Badge({ children, tone = "neutral" }: { children: ReactNode; tone?: Tone }) {
  return (
    <span
      className={clsx(
        "inline-flex items-center rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
