import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What a list says when it has nothing: what the thing is, and the first action. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-4 py-14 text-center">
      <span className="flex size-14 items-center justify-center rounded-full border border-dashed border-rule-strong text-accent-ink">
        <Icon className="size-6" strokeWidth={1.5} aria-hidden />
      </span>
      <h2 className="display mt-4 text-xl">{title}</h2>
      <div className="mt-1.5 max-w-md text-sm text-balance text-soft">{children}</div>
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
