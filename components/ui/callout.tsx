import clsx from "clsx";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const kinds = {
  info: { icon: Info, look: "border-info bg-info-wash", mark: "text-info" },
  success: { icon: CircleCheck, look: "border-success bg-success-wash", mark: "text-success" },
  warning: { icon: TriangleAlert, look: "border-warning bg-warning-wash", mark: "text-warning" },
  danger: { icon: CircleAlert, look: "border-danger bg-danger-wash", mark: "text-danger" },
} as const;

/** Something the reader should know before going on. */
export function Callout({
  kind,
  title,
  children,
  alert = false,
}: {
  kind: keyof typeof kinds;
  title?: string;
  children?: ReactNode;
  /** Read out at once: for what appears after an action. */
  alert?: boolean;
}) {
  const { icon: Icon, look, mark } = kinds[kind];
  return (
    <div
      role={alert ? "alert" : undefined}
      className={clsx("flex items-start gap-3 rounded-md border-l-4 px-4 py-3 text-sm", look)}
    >
      <Icon className={clsx("mt-0.5 size-4 shrink-0", mark)} aria-hidden />
      <div className="min-w-0">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}
