"use client";

import { History } from "lucide-react";
import { count } from "@/components/ui/numbers";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { instantOf, localInput } from "@/components/form/local-time";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { webhookReplayInput, type Webhook } from "@/lib/domain/webhooks/schema";

const hour = 3_600_000;
const periods = [
  { value: "1", label: "The last hour" },
  { value: "6", label: "The last 6 hours" },
  { value: "24", label: "The last 24 hours" },
  { value: "168", label: "The last 7 days" },
  { value: "720", label: "The last 30 days" },
  { value: "own", label: "A time of my choice" },
] as const;
const scopes = [
  { value: "failed", label: "What failed" },
  { value: "all", label: "Everything" },
] as const;

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
        <History aria-hidden /> Deliver again
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
      hours !== "own" || instantOf(since) ? {} : { since: "Enter a date and a time." },
    leaves: true,
    guard: false,
    send: (body) => api("POST /v1/webhooks/{id}/replay", { params: { id: webhook.id }, body }),
    onSent: ({ replayed }) => {
      toast.success(
        replayed === 0
          ? "There was nothing to deliver again"
          : replayed === 1
            ? "One delivery is on its way again"
            : `${count(replayed)} deliveries are on their way again`,
      );
      onClose();
    },
  });
  return (
    <DialogForm
      title="Deliver past events again?"
      description="For an endpoint that lost what it was given. Each event keeps its webhook-id, so an endpoint that remembers those takes nothing twice."
      action="Deliver again"
      onClose={onClose}
      form={form}
    >
      <Field label="From" name="hours">
        <Select
          options={periods}
          value={form.draft.hours}
          onChange={(hours) => form.set({ hours })}
        />
      </Field>
      {form.draft.hours === "own" && (
        <Field
          label="Since"
          name="since"
          hint="In your time zone, as far back as deliveries are kept."
          error={form.fault("since")}
        >
          <Input {...form.text("since")} type="datetime-local" max={localInput(now)} />
        </Field>
      )}
      <Field label="Deliveries" name="status">
        <Select
          options={scopes}
          value={form.draft.scope}
          onChange={(scope) => form.set({ scope })}
        />
      </Field>
    </DialogForm>
  );
}
