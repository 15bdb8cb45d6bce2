"use client";

import { QuietPage } from "@/components/shell/plain-page";
import { Button } from "@/components/ui/button";
import { t } from "@/lib/ground/texts/t";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <QuietPage
      title={t("Something went wrong")}
      lead={t("The fault is on our side. None of your data was lost.")}
    >
      {error.digest && (
        <p className="mb-4 font-mono text-xs text-faint">
          {t("Reference {digest}", { digest: error.digest })}
        </p>
      )}
      <Button variant="primary" onClick={reset}>
        {t("Try again")}
      </Button>
    </QuietPage>
  );
}
