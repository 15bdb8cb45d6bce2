import type { ReactNode } from "react";
import { Callout } from "@/components/ui/callout";
import { messageOf } from "@/components/api/faults";
import { ApiError } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { intervalWords } from "./interval-words";

/** An API's caller is told when to try again; here the page does that on its own. */
const reasonOf = (error: unknown) =>
  error instanceof ApiError && error.code === "UNAVAILABLE"
    ? t("The server is not available at the moment.")
    : messageOf(error);

/** Shown above content that could not be read again; nothing while all is well. */
export function NotUpToDate({
  of: { error, every },
  title = t("This page is out of date"),
  children,
}: {
  /** The state of its reads. */
  of: { error: unknown; every: number | false };
  title?: string;
  /** What the reader need not worry about. */
  children?: ReactNode;
}) {
  if (error === null) return null;
  return (
    <div className="mb-5">
      <Callout kind="warning" alert title={title}>
        {reasonOf(error)}{" "}
        {every === false
          ? t("Reload the page to try again.")
          : t("Trying again {every}.", { every: intervalWords(every) })}{" "}
        {children}
      </Callout>
    </div>
  );
}
