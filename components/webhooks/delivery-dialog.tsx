"use client";

import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useMay } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { Facts } from "@/components/ui/description-list";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/error-state";
import { toast } from "@/components/ui/toast";
import type { WebhookDelivery, WebhookDeliveryDetail } from "@/lib/domain/webhooks/schema";
import { t } from "@/lib/ground/texts/t";
import { DeliveryStatus } from "./webhook-status";

/** One delivery: what was sent, what came back, each attempt, and the button to try again. */
export function DeliveryDialog({
  initial,
  onClose,
}: {
  initial: WebhookDelivery | WebhookDeliveryDetail;
  onClose: () => void;
}) {
  const api = useApi();
  const may = useMay("admin");
  const params = { webhookId: initial.webhookId, id: initial.id };
  const reading = useRead(
    "GET /v1/webhooks/{webhookId}/deliveries/{id}",
    { params },
    {
      ...("request" in initial ? { initial } : {}),
      // A waiting one is followed until it is done.
      every: (delivery) => (delivery?.status === "PENDING" ? 2_000 : false),
    },
  );
  const retry = useAction({
    mutationFn: () => api("POST /v1/webhooks/{webhookId}/deliveries/{id}/retry", { params }),
    onSuccess: () => toast.success(t("Trying again now")),
    onError: (error) =>
      toast.error(t("The delivery was not retried"), { description: messageOf(error) }),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={initial.event}
      wide
      footer={
        <>
          <Button onClick={onClose}>{t("Close")}</Button>
          {may && (
            <Button variant="primary" pending={retry.isPending} onClick={() => retry.mutate()}>
              {t("Retry now")}
            </Button>
          )}
        </>
      }
    >
      {reading.data ? (
        <Detail delivery={reading.data} />
      ) : reading.isError ? (
        <ErrorState
          message={messageOf(reading.error)}
          onRetry={() => void reading.refetch()}
          retrying={reading.isFetching}
        />
      ) : (
        <div className="flex flex-col gap-3">
          <Skeleton className="h-24" />
          <Skeleton className="h-48" />
        </div>
      )}
    </Dialog>
  );
}

function Detail({ delivery }: { delivery: WebhookDeliveryDetail }) {
  return (
    <div className="flex flex-col gap-5">
      {delivery.error && (
        <Callout kind="warning" title={t("No response")}>
          {delivery.error}
        </Callout>
      )}
      <Facts
        items={[
          { label: t("Status"), value: <DeliveryStatus status={delivery.status} /> },
          {
            label: t("Event id"),
            value: <code className="font-mono text-xs">{delivery.eventId}</code>,
          },
          { label: t("Occurred"), value: <ExactTime value={delivery.createdAt} /> },
          ...(delivery.nextAttemptAt
            ? [{ label: t("Next attempt"), value: <RelativeTime value={delivery.nextAttemptAt} /> }]
            : []),
        ]}
      />
      <div>
        <h3 className="mb-1.5 text-sm font-medium">{t("Request")}</h3>
        <p className="mb-1.5 font-mono text-xs wrap-anywhere text-soft">
          POST {delivery.request.url}
        </p>
        <CodeBlock
          label={t("request body")}
          code={JSON.stringify(delivery.request.body, null, 2)}
          wrap
        />
      </div>
      {delivery.responseStatus !== null && (
        <div>
          <h3 className="mb-1.5 text-sm font-medium">
            {t("Response: HTTP {status}", { status: delivery.responseStatus })}
          </h3>
          {delivery.responseBody ? (
            <CodeBlock label={t("response body")} code={delivery.responseBody} wrap />
          ) : (
            <p className="text-sm text-faint">{t("The response had no body.")}</p>
          )}
        </div>
      )}
      {delivery.tries.length > 0 && (
        <div>
          <h3 className="mb-1.5 text-sm font-medium">{t("Attempts")}</h3>
          <ol className="text-sm">
            {delivery.tries.map((attempt) => (
              <li
                key={attempt.at}
                className="flex flex-wrap justify-between gap-x-4 border-b py-1.5 last:border-b-0"
              >
                <ExactTime value={attempt.at} />
                <span className="text-soft">
                  {attempt.responseStatus === null
                    ? (attempt.error ?? t("No response"))
                    : `HTTP ${attempt.responseStatus}`}
                  {attempt.durationMilliseconds !== null && (
                    <span className="text-faint tabular-nums">
                      {" "}
                      · {attempt.durationMilliseconds} ms
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
