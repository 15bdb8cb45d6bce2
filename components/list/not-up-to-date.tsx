import type { ReactNode } from "react";
import { Callout } from "@/components/ui/callout";
import { messageOf } from "@/components/api/faults";

/** Above what was read before and could not be read again; nothing while `error` is null. */
export function NotUpToDate({
  error,
  what,
  children,
}: {
  error: unknown;
  what: "list" | "page";
  /** What happens next. */
  children: ReactNode;
}) {
  if (error === null) return null;
  return (
    <div className="mb-5">
      <Callout kind="warning" alert title={`This ${what} is not up to date`}>
        {messageOf(error)} {children}
      </Callout>
    </div>
  );
}
