import { CircleAlert, CircleCheck, CircleOff, CircleX, Clock } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { WebhookDeliveryStatus } from "@/db/enums";
import type { Webhook } from "@/lib/domain/webhooks/schema";
import { phrases, t } from "@/lib/ground/texts/t";

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled) {
    return webhook.disabledReason ? (
      <Status tone="danger" icon={CircleX}>
        {t("Switched off")}
      </Status>
    ) : (
      <Status tone="neutral" icon={CircleOff}>
        {t("Off")}
      </Status>
    );
  }
  return webhook.failingSince ? (
    <Status tone="warning" icon={CircleAlert}>
      {t("Failing")}
    </Status>
  ) : (
    <Status tone="success" icon={CircleCheck}>
      {t("On")}
    </Status>
  );
}

export const deliveryWords: Record<WebhookDeliveryStatus, string> = phrases({
  PENDING: "Waiting",
  DELIVERED: "Delivered",
  FAILED: "Failed",
});

export function DeliveryStatus({ status }: { status: WebhookDeliveryStatus }) {
  const looks = {
    PENDING: { tone: "info", icon: Clock },
    DELIVERED: { tone: "success", icon: CircleCheck },
    FAILED: { tone: "danger", icon: CircleX },
  } as const;
  return <Status {...looks[status]}>{deliveryWords[status]}</Status>;
}
