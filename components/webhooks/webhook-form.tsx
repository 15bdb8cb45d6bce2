"use client";

import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { Checkbox } from "@/components/ui/toggle";
import { webhookInput, type WebhookInput } from "@/lib/domain/webhooks/schema";
import type { WebhookEvent } from "@/lib/ground/events/names";
import { eventGroups } from "./event-groups";

const scopes = [
  { value: "some", label: "Chosen events", hint: "Those ticked below." },
  { value: "all", label: "All events", hint: "Also those that come to be later." },
] as const;
const usual: readonly WebhookEvent[] = ["email.delivered", "email.bounced", "email.complained"];

/** Address and events of a webhook, in a dialog. */
export function WebhookForm({
  title,
  action,
  initial,
  onClose,
  onSubmit,
  pending,
  error,
}: {
  title: string;
  action: string;
  initial?: { url: string; events: readonly string[] };
  onClose: () => void;
  onSubmit: (input: WebhookInput) => void;
  pending: boolean;
  error: unknown;
}) {
  const [scope, setScope] = useState<"some" | "all">(
    initial?.events.includes("*") ? "all" : "some",
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(initial?.events ?? usual));
  const [faults, setFaults] = useState<Faults>({});
  const submit = (given: FormData) => {
    const url = given.get("url");
    const checked = webhookInput.safeParse({
      url: typeof url === "string" ? url.trim() : "",
      events: scope === "all" ? ["*"] : [...chosen].filter((event) => event !== "*"),
    });
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) onSubmit(checked.data);
  };
  const eventsFault = faults.events ? "Choose one event at least." : fieldFault(error, "events");
  return (
    <DialogForm
      title={title}
      action={action}
      onClose={onClose}
      onSubmit={submit}
      pending={pending}
      fault={formFault(error, ["url", "events"])}
    >
      <Field
        label="Address"
        name="url"
        hint="Gets a POST with JSON for each event, and answers with a 2xx status within 15 seconds."
        error={faults.url ?? fieldFault(error, "url")}
      >
        <Input
          autoFocus
          type="url"
          autoComplete="off"
          placeholder="https://example.com/hooks/mail"
          defaultValue={initial?.url ?? ""}
        />
      </Field>
      <ChoiceCards label="What it is told" options={scopes} value={scope} onChange={setScope} />
      {scope === "some" && (
        <div className="grid gap-4 sm:grid-cols-2">
          {eventGroups.map((group) => (
            <EventGroup key={group.name} group={group} chosen={chosen} onChange={setChosen} />
          ))}
        </div>
      )}
      {eventsFault && scope === "some" && (
        <p role="alert" className="text-sm text-danger">
          {eventsFault}
        </p>
      )}
    </DialogForm>
  );
}

function EventGroup({
  group: { name, events },
  chosen,
  onChange,
}: {
  group: (typeof eventGroups)[number];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const count = events.filter((event) => chosen.has(event)).length;
  const toggle = (which: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const event of which) {
      if (on) next.add(event);
      else next.delete(event);
    }
    onChange(next);
  };
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="sr-only">{name}</legend>
      <div className="mb-0.5 border-b pb-1 font-medium">
        <Checkbox
          label={name}
          checked={count === events.length}
          indeterminate={count > 0 && count < events.length}
          onChange={(on) => toggle(events, on)}
        />
      </div>
      {events.map((event) => (
        <div key={event} className="pl-1">
          <Checkbox
            label={event}
            checked={chosen.has(event)}
            onChange={(on) => toggle([event], on)}
          />
        </div>
      ))}
    </fieldset>
  );
}
