import type { ReactNode } from "react";
import { Callout } from "@/components/ui/callout";
import { messageOf } from "@/components/api/faults";
import { intervalWords } from "./interval-words";

/** Above what was read before and could not be read again; nothing while all is well. */
export function NotUpToDate({
  of: { error, every },
  title = "This page is out of date",
  children,
}: {
  /** How it is read. */
  of: { error: unknown; every: number | false };
  title?: string;
  /** What the reader need not worry about. */
  children?: ReactNode;
}) {
  if (error === null) return null;
  return (
    <div className="mb-5">
      <Callout kind="warning" alert title={title}>
        {messageOf(error)}{" "}
        {every === false
          ? "Reload the page to try again."
          : `Trying again ${intervalWords(every)}.`}{" "}
        {children}
      </Callout>
    </div>
  );
}
