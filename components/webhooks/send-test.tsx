"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { formFault } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { Button } from "@/components/ui/button";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { type Webhook, type WebhookDeliveryDetail } from "@/lib/domain/webhooks/schema";
import { DeliveryDialog } from "./delivery-dialog";
import { webhookEvents, type WebhookEvent } from "@/lib/ground/events/names";

const options = webhookEvents.map((event) => ({ value: event, label: event }));

/** The button that calls the endpoint with a sample event and shows what came back. */
export function SendTest({ webhook }: { webhook: Webhook }) {
  const api = useApi();
  const [open, setOpen] = useState(false);
  const [event, setEvent] = useState<WebhookEvent>(
    webhookEvents.find((name) => webhook.events.includes(name)) ?? "email.delivered",
  );
  const [result, setResult] = useState<WebhookDeliveryDetail | null>(null);
  const send = useMutation({
    mutationFn: () =>
      api("POST /v1/webhooks/{id}/test", { params: { id: webhook.id }, body: { event } }),
    onSuccess: (delivery) => {
      setOpen(false);
      setResult(delivery);
    },
  });
  return (
    <>
      <Button
        variant="primary"
        onClick={() => {
          send.reset();
          setOpen(true);
        }}
      >
        Send test event
      </Button>
      {open && (
        <DialogForm
          title="Send a test event"
          description="The endpoint is called once, now, with sample data that contains “test: true”."
          action="Send"
          onClose={() => setOpen(false)}
          onSubmit={() => send.mutate()}
          pending={send.isPending}
          fault={formFault(send.error, [])}
        >
          <Field label="Event" name="event">
            <Select options={options} value={event} onChange={setEvent} />
          </Field>
        </DialogForm>
      )}
      {result && <DeliveryDialog initial={result} onClose={() => setResult(null)} />}
    </>
  );
}
