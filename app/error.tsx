"use client";

import { QuietPage } from "@/components/shell/plain-page";
import { Button } from "@/components/ui/button";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <QuietPage
      title="Something went wrong"
      lead="The fault is on our side. None of your data was lost."
    >
      {error.digest && (
        <p className="mb-4 font-mono text-xs text-faint">Reference {error.digest}</p>
      )}
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
    </QuietPage>
  );
}
