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
      title="This page could not be loaded"
      message="Something went wrong on our side. None of your data was lost."
      requestId={error.digest}
      onRetry={reset}
    />
  );
}
