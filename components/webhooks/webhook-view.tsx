"use client";

import { useState } from "react";
import { useStore } from "@/components/api/use-store";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DeleteThing } from "@/components/shell/delete-button";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { DeliveryQuery, Webhook, WebhookUpdate } from "@/lib/domain/webhooks/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { DeliveryLog } from "./delivery-log";
import { Replay } from "./replay";
import { SecretDialog } from "./secret-dialog";
import { SendTest } from "./send-test";
import { EditWebhookForm } from "./webhook-form";
import { WebhookStatus } from "./webhook-status";

/** One endpoint: its status, what can be done with it, and the log of its deliveries. */
export function WebhookView({
  initial,
  deliveries,
  history,
  query,
}: {
  initial: Webhook;
  deliveries: ApiAnswer<"GET /v1/webhooks/{id}/deliveries">;
  /** Where they end. */
  history: string;
  query: DeliveryQuery;
}) {
  const api = useApi();
  const path = useProjectPath();
  const store = useStore("GET /v1/webhooks/{id}");
  const may = useMay("admin");
  const [editing, setEditing] = useState(false);
  const input = { params: { id: initial.id } };
  const reading = useRead("GET /v1/webhooks/{id}", input, { initial, every: 15_000 });
  const webhook = reading.data;
  const change = (body: WebhookUpdate) => api("PATCH /v1/webhooks/{id}", { ...input, body });
  const onChanged = (changed: Webhook) => store(input, changed);
  const toggle = useAction({
    mutationFn: (enabled: boolean) => change({ enabled }),
    onSuccess: (changed, enabled) => {
      onChanged(changed);
      toast.success(
        enabled ? t("The webhook is on") : t("The webhook is off"),
        enabled ? {} : { action: { label: t("Undo"), run: () => toggle.mutate(true) } },
      );
    },
    onError: (error) =>
      toast.error(t("The webhook was not changed"), { description: messageOf(error) }),
  });
  return (
    <>
      <PageHeader
        title={webhook.url}
        back={{ href: path("webhooks"), label: t("Webhooks") }}
        meta={
          <>
            <WebhookStatus webhook={webhook} />
            <CopyableCode text={webhook.id} what={t("webhook id")} />
          </>
        }
        actions={
          may && (
            <>
              <DeleteThing
                kind="webhook"
                name={webhook.url}
                list="webhooks"
                remove={() => api("DELETE /v1/webhooks/{id}", { params: { id: webhook.id } })}
              >
                {t("It receives no further events, and the log of its deliveries is deleted.")}
              </DeleteThing>
              <RotateSecret webhook={webhook} />
              <Replay webhook={webhook} />
              <Button onClick={() => setEditing(true)}>{t("Edit")}</Button>
              <SendTest webhook={webhook} />
            </>
          )
        }
      />
      <NotUpToDate of={reading} />
      <StatusNotice webhook={webhook} />
      <div className="mb-9 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div>
          <h2 className="eyebrow mb-2">{t("Events")}</h2>
          <ul className="flex max-w-2xl flex-wrap gap-1.5">
            {webhook.events.map((event) => (
              <li key={event}>
                <Badge>{event === "*" ? t("All events") : event}</Badge>
              </li>
            ))}
          </ul>
        </div>
        {may && (
          <Switch
            label={t("Deliver events")}
            hint={t("Events that happen while this is off are not delivered later.")}
            checked={webhook.enabled}
            disabled={toggle.isPending}
            onChange={(enabled) => toggle.mutate(enabled)}
          />
        )}
      </div>
      <DeliveryLog webhook={webhook} initial={deliveries} history={history} query={query} />
      {editing && (
        <EditWebhookForm
          webhook={webhook}
          onClose={() => setEditing(false)}
          onSent={(changed) => {
            onChanged(changed);
            setEditing(false);
            toast.success(t("The webhook was changed"));
          }}
        />
      )}
    </>
  );
}

/** What the status means, where it is not simply on. */
function StatusNotice({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled && webhook.disabledReason) {
    return (
      <div className="mb-7">
        <Callout kind="danger" title={t("Switched off")}>
          {t(
            "{reason} Once the endpoint works again, switch the webhook on and retry the deliveries it missed.",
            { reason: webhook.disabledReason },
          )}
        </Callout>
      </div>
    );
  }
  if (webhook.enabled && webhook.failingSince) {
    return (
      <div className="mb-7">
        <Callout kind="warning" title={t("All deliveries are failing")}>
          {rich(
            "This began {time}. Each delivery is tried ten times over three days; after five days of failures the webhook is switched off.",
            { time: <RelativeTime value={webhook.failingSince} /> },
          )}
        </Callout>
      </div>
    );
  }
  return null;
}

function RotateSecret({ webhook }: { webhook: Webhook }) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t("Replace secret")}</Button>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t("Replace the signing secret?")}
        action={t("Replace secret")}
        run={() => api("POST /v1/webhooks/{id}/rotate-secret", { params: { id: webhook.id } })}
        onDone={(rotated) => setSecret(rotated.secret)}
      >
        {t(
          "The old secret stops working immediately. Until your program has the new one it will refuse calls; they are retried later.",
        )}
      </ConfirmAction>
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
