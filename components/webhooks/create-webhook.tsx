"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import type { WebhookInput } from "@/lib/domain/webhooks/schema";
import { SecretDialog } from "./secret-dialog";
import { WebhookForm } from "./webhook-form";

/** The button that adds a webhook and shows its secret, once. Nothing for those who may not. */
export function CreateWebhook() {
  const api = useApi();
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: (body: WebhookInput) => api("POST /v1/webhooks", { body }),
    onSuccess: (created) => {
      setOpen(false);
      setSecret(created.secret);
    },
  });
  if (!useMay("admin")) return null;
  return (
    <>
      <Button
        variant="primary"
        onClick={() => {
          create.reset();
          setOpen(true);
        }}
      >
        <Plus aria-hidden /> Add webhook
      </Button>
      {open && (
        <WebhookForm
          title="Add a webhook"
          action="Add webhook"
          onClose={() => setOpen(false)}
          onSubmit={(input) => create.mutate(input)}
          pending={create.isPending}
          error={create.error}
        />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
