"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import { t } from "@/lib/ground/texts/t";
import { Button } from "./button";

/** What failed, in a sentence, with a way to try again. */
export function ErrorState({
  title = t("This could not be loaded"),
  message,
  requestId,
  onRetry,
  retrying = false,
}: {
  title?: string;
  message: string;
  requestId?: string | undefined;
  onRetry: () => void;
  retrying?: boolean;
}) {
  return (
    <div role="alert" className="flex flex-col items-center px-4 py-14 text-center">
      <span className="flex size-14 items-center justify-center rounded-full bg-danger-wash text-danger">
        <TriangleAlert className="size-6" strokeWidth={1.5} aria-hidden />
      </span>
      <h2 className="display mt-4 text-xl">{title}</h2>
      <p className="mt-1.5 max-w-md text-sm text-soft">{message}</p>
      {requestId && (
        <p className="mt-1 font-mono text-xs text-faint">
          {t("Request {requestId}", { requestId })}
        </p>
      )}
      <Button className="mt-5" onClick={onRetry} pending={retrying}>
        <RotateCw aria-hidden /> {t("Try again")}
      </Button>
    </div>
  );
}
