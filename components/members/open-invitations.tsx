"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useProject } from "@/components/api/project-context";
import { roleLabels } from "@/components/api/role-labels";
import { useApi } from "@/components/api/use-api";
import { ConfirmAction } from "@/components/form/confirm-action";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { Invitation, SentInvitation } from "@/lib/domain/members/schema";
import { t } from "@/lib/ground/texts/t";
import { PassOn } from "./invite-member";

/** Whom the project has asked in and who has not answered. */
export function OpenInvitations({ invitations }: { invitations: readonly Invitation[] }) {
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const api = useApi();
  return (
    <div className="mt-9">
      <Section
        title={t("Not answered yet")}
        description={t("An invitation is good for seven days.")}
      >
        <Table label={t("Invitations")}>
          <TableHead>
            <HeaderCell>{t("Address")}</HeaderCell>
            <HeaderCell>{t("Role")}</HeaderCell>
            <HeaderCell className="max-md:hidden">{t("Invited by")}</HeaderCell>
            <HeaderCell className="max-sm:hidden">{t("Expires")}</HeaderCell>
            <HeaderCell>
              <span className="sr-only">{t("Actions")}</span>
            </HeaderCell>
          </TableHead>
          <tbody>
            {invitations.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                onWithdraw={() => setWithdrawing(invitation)}
              />
            ))}
          </tbody>
        </Table>
      </Section>
      {withdrawing && (
        <ConfirmAction
          title={t("Withdraw the invitation of {email}?", { email: withdrawing.email })}
          action={t("Withdraw")}
          dismiss={t("Keep it")}
          run={() => api("DELETE /v1/members/invitations/{id}", { params: { id: withdrawing.id } })}
          done={t("The invitation of {email} is withdrawn", { email: withdrawing.email })}
          onClose={() => setWithdrawing(null)}
        >
          {t("The link in the mail then leads nowhere.")}
        </ConfirmAction>
      )}
    </div>
  );
}

function InvitationRow({
  invitation,
  onWithdraw,
}: {
  invitation: Invitation;
  onWithdraw: () => void;
}) {
  const api = useApi();
  const { onlyProject } = useProject();
  const [unmailed, setUnmailed] = useState<SentInvitation | null>(null);
  const { id, email, role, invitedBy, expired, expiresAt, url } = invitation;
  const again = useAction({
    mutationFn: () => api("POST /v1/members/invitations/{id}/send", { params: { id } }),
    onSuccess: (sent) => {
      if (sent.mailed) toast.success(t("The invitation is on its way to {email} again", { email }));
      else setUnmailed(sent);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <span className="flex flex-wrap items-center gap-x-2">
          {email}
          {expired && <Badge tone="warning">{t("expired")}</Badge>}
        </span>
      </Cell>
      <Cell className="capitalize">{roleLabels[role]}</Cell>
      <Cell className="wrap-anywhere text-soft max-md:hidden">
        {invitedBy ?? t("somebody who left")}
      </Cell>
      <Cell className="text-soft max-sm:hidden">
        <RelativeTime value={expiresAt} />
      </Cell>
      <Cell className="text-right">
        <span className="inline-flex flex-wrap items-center justify-end gap-1">
          <CopyButton text={url} what={t("link of the invitation of {email}", { email })} />
          {!onlyProject && (
            <>
              <Button
                size="sm"
                variant="ghost"
                pending={again.isPending}
                aria-label={t("Send the invitation of {email} again", { email })}
                onClick={() => again.mutate()}
              >
                {t("Send again")}
              </Button>
              <Button
                size="sm"
                variant="ghost"
                aria-label={t("Withdraw the invitation of {email}", { email })}
                onClick={onWithdraw}
              >
                {t("Withdraw")}
              </Button>
            </>
          )}
        </span>
        {unmailed && <PassOn sent={unmailed} onClose={() => setUnmailed(null)} />}
      </Cell>
    </Row>
  );
}
