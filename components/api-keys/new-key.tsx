"use client";

import { useProject } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyTextButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import type { ApiKeyCreated } from "@/lib/domain/api-keys/schema";
import { t } from "@/lib/ground/texts/t";
import { sendCommand } from "./send-command";

/** Shows a key, the only time it can be seen, with a command that uses it. */
export function NewKeyDialog({
  created,
  onClose,
}: {
  created: ApiKeyCreated;
  onClose: () => void;
}) {
  const { appUrl } = useProject();
  const domains = useRead("GET /v1/domains", {});
  const verified = domains.data?.data.filter(({ status }) => status === "VERIFIED") ?? [];
  const sender = (verified.find(({ builtIn }) => !builtIn) ?? verified[0])?.name;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Your key “{name}”", { name: created.name })}
      description={t(
        "Copy it now. We store only a fingerprint of it, so it cannot be shown again.",
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
          <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere" data-testid="new-key">
            {created.key}
          </code>
          <CopyTextButton text={created.key} label={t("Copy key")} variant="primary" size="sm" />
        </div>
        <div>
          <h3 className="mb-1.5 text-sm font-medium">{t("Send an email with it")}</h3>
          <CodeBlock
            label={t("curl command")}
            code={sendCommand({
              appUrl,
              key: created.key,
              sender: sender ?? "your-domain.example",
            })}
          />
        </div>
        {domains.isSuccess && !sender && (
          <Callout kind="warning" title={t("No domain is verified yet")}>
            {t("Verify one first, and use it in place of your-domain.example.")}
          </Callout>
        )}
      </div>
    </Dialog>
  );
}
