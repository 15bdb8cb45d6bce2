"use client";

import { useState } from "react";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { deferredDialog } from "@/components/ui/deferred-dialog";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { Identity, IdentityList as Identities } from "@/lib/domain/users/identity-schema";
import { t } from "@/lib/ground/texts/t";
import type { Proofs } from "./passkey-dialogs";

const UnlinkIdentity = deferredDialog(() =>
  import("./unlink-identity").then((module) => module.UnlinkIdentity),
);

/** The reader's accounts at identity providers; nothing where there is neither one nor a provider. */
export function IdentityList({ initial, proofs }: { initial: Identities; proofs: Proofs }) {
  const [leaving, setLeaving] = useState<Identity | null>(null);
  const list = useRead("GET /v1/identities", {}, { initial, every: 60_000 });
  const { provider, data: identities } = list.data;
  useLoaded(UnlinkIdentity, identities.length > 0);
  if (provider === null && identities.length === 0) return null;
  return (
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
