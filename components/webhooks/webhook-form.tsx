"use client";

import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { changedPart } from "@/components/form/changed";
import { DialogForm } from "@/components/form/dialog-form";
import { Unsettled } from "@/components/form/unsaved-changes";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm, type Form } from "@/components/form/use-form";
import { useSaves } from "@/components/form/use-saves";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { Checkbox } from "@/components/ui/checkbox";
import type { Webhook, WebhookInput, WebhookUpdate } from "@/lib/domain/webhooks/schema";
import type { WebhookEvent } from "@/lib/ground/events/names";
import { phrases, t } from "@/lib/ground/texts/t";
import { eventGroups, groupNames } from "./event-groups";

const schemas = () => import("@/lib/domain/webhooks/schema");
const webhookInput = lazySchema(async () => (await schemas()).webhookInput);
const webhookUpdate = lazySchema(async () => (await schemas()).webhookUpdate);

const scopes = phrases([
  { value: "some", label: "Chosen events", hint: "The ones you tick below." },
  { value: "all", label: "All events", hint: "Including ones added in the future." },
]);
const usual: readonly WebhookEvent[] = ["email.delivered", "email.bounced", "email.complained"];

interface Draft {
  url: string;
  scope: "some" | "all";
  events: readonly string[];
}

const labels = phrases({ url: "Address", scope: "What to send", events: "Events" });

const draftOf = ({ url, events }: { url: string; events: readonly string[] }): Draft => ({
  url,
  scope: events.includes("*") ? "all" : "some",
  events: events.filter((event) => event !== "*"),
});

const inputOf = ({ url, scope, events }: Draft) => ({
  url: url.trim(),
  events: scope === "all" ? ["*"] : events,
});

const checkDraft = ({ scope, events }: Draft) =>
  scope === "some" && events.length === 0 ? { events: t("Choose at least one event.") } : undefined;

/** The dialog that adds a webhook. */
export function NewWebhookForm<Answer>({
  onClose,
  send,
  onSent,
}: {
  onClose: () => void;
  send: (input: WebhookInput) => Promise<Answer>;
  onSent: (answer: Answer) => unknown;
}) {
  const form = useForm({
    initial: draftOf({ url: "", events: usual }),
    schema: webhookInput,
    input: inputOf,
    check: (draft) => checkDraft(draft) ?? {},
    leaves: true,
    send,
    onSent,
  });
  return (
    <DialogForm title={t("Add a webhook")} action={t("Add webhook")} onClose={onClose} form={form}>
      <WebhookFields form={form} />
    </DialogForm>
  );
}

/** The dialog that changes a webhook's address and events. */
export function EditWebhookForm({
  webhook,
  onClose,
  onSent,
}: {
  webhook: Webhook;
  onClose: () => void;
  onSent: (webhook: Webhook) => unknown;
}) {
  const api = useApi();
  const params = { id: webhook.id };
  const [saved, setSaved] = useState(webhook);
  const saves = useSaves<Webhook, Draft, WebhookUpdate>({
    saved,
    onNewer: setSaved,
    draftOf,
    written: (body) => {
      const { url = "", events = [] } = body;
      const draft = draftOf({ url, events });
      return {
        ...(body.url === undefined ? {} : { url }),
        ...(body.events === undefined ? {} : { scope: draft.scope, events: draft.events }),
      };
    },
    change: (body) => api("PATCH /v1/webhooks/{id}", { params, body }),
    read: () => api("GET /v1/webhooks/{id}", { params }),
    groups: [["scope", "events"]],
  });
  const form = useForm({
    initial: draftOf(webhook),
    schema: webhookUpdate,
    input: (draft: Draft, base) => changedPart(inputOf(base), inputOf(draft)),
    check: (draft) => checkDraft(draft) ?? {},
    places: ["url", "events"],
    leaves: true,
    send: saves.save,
    onSent,
  });
  return (
    <DialogForm title={t("Edit webhook")} action={t("Save")} onClose={onClose} form={form}>
      <Unsettled
        form={form}
        saves={saves}
        draftOf={draftOf}
        keptAs={null}
        label={(field) => labels[field]}
        tell={(draft, field) =>
          field === "events"
            ? draft.events.join("\n")
            : field === "scope"
              ? draft.scope === "all"
                ? t("All events")
                : t("Chosen events")
              : draft.url
        }
      />
      <WebhookFields form={form} />
    </DialogForm>
  );
}

function WebhookFields({ form }: { form: Form<Draft> }) {
  const { scope, events } = form.draft;
  const eventsFault = form.faultWithin("events");
  return (
    <>
      <Field
        label={t("Address")}
        name="url"
        hint={t(
          "It receives a POST with JSON for each event and must answer with a 2xx status within 15 seconds.",
        )}
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
        label={t("What to send")}
        options={scopes}
        value={scope}
        onChange={(next) => form.set({ scope: next })}
      />
      {scope === "some" && (
        <div className="grid gap-4 sm:grid-cols-2">
          {eventGroups.map((group) => (
            <EventGroup
              key={group.subject}
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
    </>
  );
}

function EventGroup({
  group: { subject, events },
  chosen,
  onChange,
}: {
  group: (typeof eventGroups)[number];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}) {
  const name = groupNames[subject];
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
