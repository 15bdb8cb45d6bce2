"use client";

import { History } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { instantOf, localInput } from "@/components/form/local-time";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { Webhook } from "@/lib/domain/webhooks/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const webhookReplayInput = lazySchema(
  async () => (await import("@/lib/domain/webhooks/schema")).webhookReplayInput,
);

const hour = 3_600_000;
const periods = phrases([
  { value: "1", label: "The last hour" },
  { value: "6", label: "The last 6 hours" },
  { value: "24", label: "The last 24 hours" },
  { value: "168", label: "The last 7 days" },
  { value: "720", label: "The last 30 days" },
  { value: "own", label: "A time of my choice" },
]);
const scopes = phrases([
  { value: "failed", label: "What failed" },
  { value: "all", label: "Everything" },
]);

interface Draft {
  hours: (typeof periods)[number]["value"];
  scope: (typeof scopes)[number]["value"];
  /** As the browser's field writes it; of use with "own". */
  since: string;
}

/** Since when, as the API takes it. */
const sinceOf = ({ hours, since }: Draft) =>
  hours === "own" ? instantOf(since) : new Date(Date.now() - Number(hours) * hour).toISOString();

/** The button that delivers past events again. */
export function Replay({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button disabled={!webhook.enabled} onClick={() => setOpen(true)}>
        <History aria-hidden /> {t("Deliver again")}
      </Button>
      {open && <ReplayDialog webhook={webhook} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const api = useApi();
  const [now] = useState(() => new Date());
  const form = useForm({
    initial: (): Draft => ({
      ...{ hours: "1", scope: "failed" },
      since: localInput(new Date(now.getTime() - hour)),
    }),
    schema: webhookReplayInput,
    input: (draft: Draft) => ({
      since: sinceOf(draft),
      ...(draft.scope === "failed" ? { status: "FAILED" as const } : {}),
    }),
    check: ({ hours, since }) =>
      hours !== "own" || instantOf(since) ? {} : { since: t("Enter a date and a time.") },
    leaves: true,
    guard: false,
    send: (body) => api("POST /v1/webhooks/{id}/replay", { params: { id: webhook.id }, body }),
    onSent: ({ replayed }) => {
      toast.success(
        t(
          "{count, plural, =0 {There was nothing to deliver again} one {One delivery is on its way again} other {# deliveries are on their way again}}",
          { count: replayed },
        ),
      );
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Deliver past events again?")}
      description={t(
        "For an endpoint that lost what it was given. Each event keeps its webhook-id, so an endpoint that remembers those takes nothing twice.",
      )}
      action={t("Deliver again")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("From")} name="hours">
        <Select
          options={periods}
          value={form.draft.hours}
          onChange={(hours) => form.set({ hours })}
        />
      </Field>
      {form.draft.hours === "own" && (
        <Field
          label={t("Since")}
          name="since"
          hint={t("In your time zone, as far back as deliveries are kept.")}
          error={form.fault("since")}
        >
          <Input {...form.text("since")} type="datetime-local" max={localInput(now)} />
        </Field>
      )}
      <Field label={t("Deliveries")} name="status">
        <Select
          options={scopes}
          value={form.draft.scope}
          onChange={(scope) => form.set({ scope })}
        />
      </Field>
    </DialogForm>
  );
}
