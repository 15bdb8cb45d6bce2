"use client";

import { ErrorState } from "@/components/ui/error-state";

export default function ProjectError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <ErrorState
      title="This page could not be set"
      message="Something went wrong on our side. Nothing of yours was lost."
      requestId={error.digest}
      onRetry={reset}
    />
  );
}
