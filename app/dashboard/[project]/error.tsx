"use client";

import { ErrorState } from "@/components/ui/error-state";
import { t } from "@/lib/ground/texts/t";

export default function ProjectError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <ErrorState
      title={t("This page could not be loaded")}
      message={t("Something went wrong on our side. None of your data was lost.")}
      requestId={error.digest}
      onRetry={reset}
    />
  );
}
