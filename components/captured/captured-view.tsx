"use client";

import { ArrowUpRight } from "lucide-react";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { formatBytes } from "@/components/ui/numbers";
import { MessageTabs } from "@/components/message-viewer/message-tabs";
import { LinkButton } from "@/components/ui/button";
import { CopyableCode } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/description-list";
import { PageHeader } from "@/components/ui/page-header";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";

function mailbox({ email, name }: { email: string; name: string }): string {
  return name ? `${name} <${email}>` : email || t("(unknown)");
}

/** A captured message as a mail client shows it. It never changes. */
export function CapturedView({ message }: { message: ApiAnswer<"GET /v1/captured/{id}"> }) {
  const { id } = useProject();
  const path = useProjectPath();
  return (
    <>
      <PageHeader
        title={message.subject || t("(no subject)")}
        back={{ href: path("captured"), label: t("Captured mailbox") }}
        meta={
          <>
            <span className="text-sm text-soft">
              <RelativeTime value={message.createdAt} />
            </span>
            <CopyableCode text={message.id} what={t("message id")} />
          </>
        }
        actions={
          message.emailId && (
            <LinkButton href={path(`emails/${message.emailId}`)}>
              {t("Delivery details")} <ArrowUpRight aria-hidden />
            </LinkButton>
          )
        }
      />
      <div className="mb-6">
        <Facts
          items={[
            { label: t("From"), value: mailbox(message.from) },
            { label: t("To"), value: message.to },
            ...(message.replyTo.length > 0
              ? [{ label: t("Reply to"), value: message.replyTo.map(mailbox).join(", ") }]
              : []),
            { label: t("Captured"), value: <ExactTime value={message.createdAt} /> },
            {
              label: t("Return path"),
              value: <CopyableCode text={message.envelopeFrom} what={t("return path")} />,
            },
            { label: t("Size"), value: formatBytes(message.size) },
          ]}
        />
      </div>
      <MessageTabs
        message={message}
        attachmentHref={(position) =>
          `/api/dashboard/${id}/v1/captured/${message.id}/attachment?position=${position}`
        }
      />
    </>
  );
}
