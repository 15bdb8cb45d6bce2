"use client";

import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyTextButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/ground/texts/t";
import { verifySnippet } from "./verify-snippet";

/** Shows a signing secret, the only time it can be seen, with code that uses it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Your signing secret")}
      description={t(
        "Copy it now: it will not be shown again. Your program uses it to check that a call comes from Lettermill.",
      )}
      wide
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("I have copied it")}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-accent bg-accent-wash px-4 py-3">
          <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere" data-testid="new-secret">
            {secret}
          </code>
          <CopyTextButton text={secret} label={t("Copy secret")} variant="primary" size="sm" />
        </div>
        <div>
          <h3 className="mb-1.5 text-sm font-medium">{t("Verify each call with it")}</h3>
          <CodeBlock label={t("verification code")} code={verifySnippet(secret)} />
          <p className="mt-2 text-xs text-faint">
            {t(
              "Calls are signed as Standard Webhooks describes; libraries for other languages read the same headers.",
            )}
          </p>
        </div>
      </div>
    </Dialog>
  );
}
