"use client";

import { Button } from "@/components/ui/button";
import { CopyTextButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/ground/texts/t";

/** Shows recovery codes, the only time they can be seen. */
export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      keepOnOutsidePress
      onOpenChange={(open) => !open && onClose()}
      title={t("Your recovery codes")}
      description={t(
        "Two-step sign-in is on. Keep these codes where you can find them without your phone: each signs you in once instead of the app’s code. They cannot be shown again.",
      )}
      footer={
        <>
          <CopyTextButton text={codes.join("\n")} label={t("Copy all")} />
          <Button variant="primary" onClick={onClose}>
            {t("I have kept them")}
          </Button>
        </>
      }
    >
      <ul
        aria-label={t("Recovery codes")}
        className="grid gap-x-6 gap-y-1.5 rounded-md border border-accent bg-accent-wash px-4 py-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
