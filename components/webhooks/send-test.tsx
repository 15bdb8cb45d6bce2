"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Webhook, WebhookDeliveryDetail } from "@/lib/domain/webhooks/schema";
import { t } from "@/lib/ground/texts/t";
import { DeliveryDialog } from "./delivery-dialog";
import { webhookEvents, type WebhookEvent } from "@/lib/ground/events/names";

const webhookTestInput = lazySchema(
  async () => (await import("@/lib/domain/webhooks/schema")).webhookTestInput,
);

const options = webhookEvents.map((event) => ({ value: event, label: event }));

/** The button that calls the endpoint with a sample event and shows what came back. */
export function SendTest({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  const [result, setResult] = useState<WebhookDeliveryDetail | null>(null);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {t("Send test event")}
      </Button>
      {open && (
        <TestDialog
          webhook={webhook}
          onClose={() => setOpen(false)}
          onSent={(delivery) => {
            setOpen(false);
            setResult(delivery);
          }}
        />
      )}
      {result && <DeliveryDialog initial={result} onClose={() => setResult(null)} />}
    </>
  );
}

function TestDialog({
  webhook,
  onClose,
  onSent,
}: {
  webhook: Webhook;
  onClose: () => void;
  onSent: (delivery: WebhookDeliveryDetail) => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: (): { event: WebhookEvent } => ({
      event: webhookEvents.find((event) => webhook.events.includes(event)) ?? "email.delivered",
    }),
    schema: webhookTestInput,
    leaves: true,
    guard: false,
    send: (body) => api("POST /v1/webhooks/{id}/test", { params: { id: webhook.id }, body }),
    onSent: (delivery) => {
      onSent(delivery);
    },
  });
  return (
    <DialogForm
      title={t("Send a test event")}
      description={t(
        "The endpoint is called once, now, with sample data that contains “test: true”.",
      )}
      action={t("Send")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Event")} name="event" error={form.fault("event")}>
        <Select
          options={options}
          value={form.draft.event}
          onChange={(event) => form.set({ event })}
        />
      </Field>
    </DialogForm>
  );
}
