"use client";

import { RotateCw, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";

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
      <div className="mt-1.5 max-w-md text-sm text-soft">{children}</div>
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** What failed, in a sentence, with a way to try again. */
export function ErrorState({
  title = "This could not be loaded",
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
      {requestId && <p className="mt-1 font-mono text-xs text-faint">Request {requestId}</p>}
      <Button className="mt-5" onClick={onRetry} pending={retrying}>
        <RotateCw aria-hidden /> Try again
      </Button>
    </div>
  );
}
