"use client";

import { messageOf } from "@/components/api/faults";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { MessageTabs } from "@/components/message-viewer/message-tabs";
import { Callout } from "@/components/ui/callout";
import { Link, textLink } from "@/components/ui/link";
import { Section } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/error-state";
import { ApiError } from "@/lib/doors/http/client";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

/** The message its recipient gets. Read on its own: it can be large. */
export function EmailMessage({ email }: { email: EmailRecord }) {
  const { id: projectId } = useProject();
  const path = useProjectPath();
  const content = useRead(
    "GET /v1/emails/{id}/content",
    { params: { id: email.id } },
    // Once the mail is captured, it replaces what was rendered for the preview.
    { staleTime: 60_000, version: email.status === "PENDING" ? "preview" : "sent" },
  );
  const { data, error } = content;
  return (
    <Section
      title={t("Message")}
      description={
        data?.capturedId
          ? rich(
              "Byte for byte as it would have been sent. <link>Open in the captured mailbox</link>",
              {
                link: (words) => (
                  <Link href={path(`captured/${data.capturedId}`)} className={textLink}>
                    {words}
                  </Link>
                ),
              },
            )
          : data?.message
            ? email.status === "PENDING"
              ? t("As it would be sent now.")
              : t("Rebuilt from the stored message. Contact fields show their current values.")
            : undefined
      }
    >
      {data?.message ? (
        <MessageTabs
          message={data.message}
          attachmentHref={(position) =>
            `/api/dashboard/${projectId}/v1/emails/${email.id}/attachment?position=${position}`
          }
        />
      ) : data ? (
        <Callout kind="info" title={t("There is nothing to show")}>
          {data.problem}
        </Callout>
      ) : error ? (
        <ErrorState
          message={messageOf(error)}
          requestId={error instanceof ApiError ? error.requestId : undefined}
          onRetry={() => void content.refetch()}
          retrying={content.isFetching}
        />
      ) : (
        <div role="status" aria-label={t("Loading the message")}>
          <div className="flex gap-5 border-b py-2.5">
            {["w-14", "w-16", "w-14", "w-12"].map((width, index) => (
              <Skeleton key={index} className={`h-4 ${width}`} />
            ))}
          </div>
          <Skeleton className="mt-14 h-[36rem] w-full" />
        </div>
      )}
    </Section>
  );
}
