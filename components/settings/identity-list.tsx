"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { Identity, IdentityList as Identities } from "@/lib/domain/users/identity-schema";
import { freshProof } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";
import { useProof, type Proofs } from "./passkey-dialogs";

/** The reader's accounts at identity providers; nothing where there is neither one nor a provider. */
export function IdentityList({ initial, proofs }: { initial: Identities; proofs: Proofs }) {
  const [leaving, setLeaving] = useState<Identity | null>(null);
  const list = useRead("GET /v1/identities", {}, { initial, every: 60_000 });
  const { provider, data: identities } = list.data;
  if (provider === null && identities.length === 0) return null;
  return (
    <div className="mt-12">
      <Section
        title={t("Company sign-in")}
        description={
          identities.length > 0
            ? t("The accounts elsewhere that sign you in here.")
            : t(
                "No account is linked yet. It is once you sign in with {provider} and an address that is confirmed there and is yours here.",
                { provider },
              )
        }
      >
        <NotUpToDate of={list} />
        {identities.length > 0 && <IdentityTable identities={identities} onUnlink={setLeaving} />}
        {leaving && (
          <UnlinkIdentity identity={leaving} proofs={proofs} onClose={() => setLeaving(null)} />
        )}
      </Section>
    </div>
  );
}

function IdentityTable({
  identities,
  onUnlink,
}: {
  identities: readonly Identity[];
  onUnlink: (identity: Identity) => void;
}) {
  return (
    <Table label={t("Accounts that sign you in")}>
      <TableHead>
        <HeaderCell>{t("Account")}</HeaderCell>
        <HeaderCell>{t("Last used")}</HeaderCell>
        <HeaderCell className="max-sm:hidden">{t("Linked")}</HeaderCell>
        <HeaderCell>
          <span className="sr-only">{t("Actions")}</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {identities.map((identity) => (
          <Row key={identity.id}>
            <Cell className="wrap-anywhere">
              <span className="font-medium">{identity.provider}</span>
              <span className="block text-soft">{identity.email}</span>
            </Cell>
            <Cell className="text-soft">
              <RelativeTime value={identity.lastUsedAt} />
            </Cell>
            <Cell className="text-soft max-sm:hidden">
              <RelativeTime value={identity.createdAt} />
            </Cell>
            <Cell className="text-right">
              <Button
                size="sm"
                variant="ghost"
                aria-label={t("Unlink {provider}", { provider: identity.provider })}
                onClick={() => onUnlink(identity)}
              >
                {t("Unlink")}
              </Button>
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function UnlinkIdentity({
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
