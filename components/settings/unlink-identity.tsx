"use client";

import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { toast } from "@/components/ui/toast";
import type { Identity } from "@/lib/domain/users/identity-schema";
import { freshProof } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { useProof, type Proofs } from "./passkey-dialogs";

export function UnlinkIdentity({
  identity,
  proofs,
  onClose,
}: {
  identity: Identity;
  proofs: Proofs;
  onClose: () => void;
}) {
  const api = useApi();
  const proof = useProof(proofs);
  const form = useForm({
    initial: { code: "", password: "" },
    schema: freshProof,
    input: proof.of,
    guard: false,
    leaves: true,
    send: (body) => api("POST /v1/identities/{id}/unlink", { params: { id: identity.id }, body }),
    onSent: () => {
      toast.success(t("{provider} was unlinked", { provider: identity.provider }));
      onClose();
    },
  });
  return (
    <DialogForm
      danger
      title={t("Unlink {provider}?", { provider: identity.provider })}
      description={t(
        "That account no longer signs you in by itself. If its address is confirmed there and is yours here, signing in with it links it again. Sessions it started go on until you end them.",
      )}
      action={t("Unlink")}
      cancel={t("Keep it")}
      form={form}
      onClose={onClose}
    >
      {proof.field(form, true)}
    </DialogForm>
  );
}
