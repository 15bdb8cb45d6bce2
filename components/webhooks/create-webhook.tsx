"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import { t } from "@/lib/ground/texts/t";
import { SecretDialog } from "./secret-dialog";
import { NewWebhookForm } from "./webhook-form";

/** Button that adds a webhook and shows its secret once. Renders nothing for those who may not. */
export function CreateWebhook({
  again = false,
}: {
  /** The page’s header has this button, too, and answers its address. */
  again?: boolean;
}) {
  const api = useApi();
  const [open, setOpen] = useNewDialog(!again);
  const [secret, setSecret] = useState<string | null>(null);
  if (!useMay("admin")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Add webhook")}
      </Button>
      {open && (
        <NewWebhookForm
          onClose={() => setOpen(false)}
          send={(body) => api("POST /v1/webhooks", { body })}
          onSent={(webhook) => {
            setOpen(false);
            setSecret(webhook.secret);
          }}
        />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
