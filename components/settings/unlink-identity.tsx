"use client";

import { useApi } from "@/components/api/use-api";
import type { Identity } from "@/lib/domain/users/identity-schema";
import { t } from "@/lib/ground/texts/t";
import { RemoveSignIn, type Proofs } from "./passkey-dialogs";

export function UnlinkIdentity({
  identity,
  ...rest
}: {
  identity: Identity;
  proofs: Proofs;
  onClose: () => void;
}) {
  const api = useApi();
  const { id, provider } = identity;
  return (
    <RemoveSignIn
      title={t("Unlink {provider}?", { provider })}
      description={t(
        "That account no longer signs you in by itself. If its address is confirmed there and is yours here, signing in with it links it again. Sessions it started go on until you end them.",
      )}
      action={t("Unlink")}
      remove={(body) => api("POST /v1/identities/{id}/unlink", { params: { id }, body })}
      removed={t("{provider} was unlinked", { provider })}
      {...rest}
    />
  );
}
