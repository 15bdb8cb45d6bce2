"use client";

import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { Checkbox } from "@/components/ui/toggle";
import { webhookInput, type WebhookInput } from "@/lib/domain/webhooks/schema";
import type { WebhookEvent } from "@/lib/ground/events/names";
import { eventGroups } from "./event-groups";

const scopes = [
  { value: "some", label: "Chosen events", hint: "The ones you tick below." },
  { value: "all", label: "All events", hint: "Including ones added in the future." },
] as const;
const usual: readonly WebhookEvent[] = ["email.delivered", "email.bounced", "email.complained"];

interface Draft {
  url: string;
  scope: "some" | "all";
  events: readonly string[];
}

/** Address and events of a webhook, in a dialog. `send` rejects with what the server refused. */
export function WebhookForm<Answer>({
  title,
  action,
  initial,
  onClose,
  send,
  onSent,
}: {
  title: string;
  action: string;
  initial?: { url: string; events: readonly string[] };
  onClose: () => void;
  send: (input: WebhookInput) => Promise<Answer>;
  onSent: (answer: Answer) => unknown;
}) {
  const form = useForm({
    initial: (): Draft => ({
      url: initial?.url ?? "",
      scope: initial?.events.includes("*") ? "all" : "some",
      events: (initial?.events ?? usual).filter((event) => event !== "*"),
    }),
    schema: webhookInput,
    input: ({ url, scope, events }) => ({
      url: url.trim(),
      events: scope === "all" ? ["*"] : events,
    }),
    check: ({ scope, events }) =>
      scope === "some" && events.length === 0 ? { events: "Choose at least one event." } : {},
    leaves: true,
    send,
    onSent,
  });
  const { scope, events } = form.draft;
  const eventsFault = form.faultWithin("events");
  return (
    <DialogForm title={title} action={action} onClose={onClose} form={form}>
      <Field
        label="Address"
        name="url"
        hint="It receives a POST with JSON for each event and must answer with a 2xx status within 15 seconds."
        error={form.fault("url")}
      >
        <Input
          {...form.text("url")}
          autoFocus
          type="url"
          autoComplete="off"
          placeholder="https://example.com/hooks/mail"
        />
      </Field>
      <ChoiceCards
        label="What to send"
        options={scopes}
        value={scope}
        onChange={(next) => form.set({ scope: next })}
      />
      {scope === "some" && (
        <div className="grid gap-4 sm:grid-cols-2">
          {eventGroups.map((group) => (
            <EventGroup
              key={group.name}
              group={group}
              chosen={events}
              onChange={(next) => form.set({ events: next })}
            />
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
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}) {
  const count = events.filter((event) => chosen.includes(event)).length;
  const toggle = (toggled: readonly string[], on: boolean) => {
    const others = chosen.filter((event) => !toggled.includes(event));
    onChange(on ? [...others, ...toggled] : others);
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
            checked={chosen.includes(event)}
            onChange={(on) => toggle([event], on)}
          />
        </div>
      ))}
    </fieldset>
  );
}
