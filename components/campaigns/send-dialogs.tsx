"use client";

import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { fieldFault, formFault, messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { people } from "@/components/ui/numbers";

interface Shared {
  campaign: { id: string; name: string };
  onClose: () => void;
  /** Saves what is not saved yet. */
  flush: () => Promise<void>;
}

function textOf(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === "string" ? value : "";
}

/** The viewer's own time zone, as `Europe/Berlin`. */
const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Says how many people it goes to before it does. */
export function SendNowDialog({
  campaign,
  flush,
  onClose,
  onSent,
  recipients,
  audience,
}: Shared & { onSent: () => void; recipients: number | undefined; audience: ReactNode }) {
  const api = useApi();
  const send = useMutation({
    mutationFn: async () => {
      await flush();
      return api("POST /v1/campaigns/{id}/send", { params: { id: campaign.id }, body: {} });
    },
    onSuccess: () => {
      toast.success(`${campaign.name} is on its way`);
      onSent();
    },
  });
  const whom = recipients === undefined ? "everybody in the audience" : people(recipients);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Send “${campaign.name}” to ${whom}?`}
      description={
        <>
          It goes to {audience}, from now on and as fast as it can. You can pause it, but what has
          gone out cannot be taken back.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Not yet</Button>
          <Button
            variant="primary"
            pending={send.isPending || send.isSuccess}
            onClick={() => send.mutate()}
          >
            Send to {whom}
          </Button>
        </>
      }
    >
      {send.isError ? (
        <Callout kind="danger" alert>
          {messageOf(send.error)}
        </Callout>
      ) : recipients === 0 ? (
        <Callout kind="warning">Nobody is in this audience now: it would end at once.</Callout>
      ) : null}
    </Dialog>
  );
}

/** `2026-11-24T09:00` of a Date in the viewer's zone, as date inputs have it. */
function localInput(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

function nextMorning(): Date {
  const time = new Date();
  time.setDate(time.getDate() + 1);
  time.setHours(9, 0, 0, 0);
  return time;
}

/** Chooses a time in the viewer's zone, for a draft or for one that is scheduled already. */
export function ScheduleDialog({
  campaign,
  flush,
  onClose,
  onScheduled,
  scheduledAt,
}: Shared & { onScheduled: () => void; scheduledAt: string | null }) {
  const api = useApi();
  const zone = ownTimeZone();
  const [fault, setFault] = useState<string | null>(null);
  const schedule = useMutation({
    mutationFn: async (time: Date) => {
      await flush();
      const body = { scheduledAt: time.toISOString(), timeZone: zone };
      return scheduledAt
        ? api("PATCH /v1/campaigns/{id}", { params: { id: campaign.id }, body })
        : api("POST /v1/campaigns/{id}/schedule", { params: { id: campaign.id }, body });
    },
    onSuccess: () => {
      toast.success(`${campaign.name} is scheduled`);
      onScheduled();
    },
  });
  return (
    <DialogForm
      title={scheduledAt ? "Change the time" : `Schedule “${campaign.name}”`}
      description="It starts by itself. Who gets it is decided then, and you can take it back until then."
      action={scheduledAt ? "Change the time" : "Schedule"}
      onClose={onClose}
      pending={schedule.isPending || schedule.isSuccess}
      fault={formFault(schedule.error, ["scheduledAt"])}
      onSubmit={(given) => {
        const time = new Date(textOf(given, "scheduledAt"));
        if (Number.isNaN(time.getTime())) setFault("Choose a date and a time.");
        else if (time.getTime() < Date.now()) setFault("This is in the past.");
        else {
          setFault(null);
          schedule.mutate(time);
        }
      }}
    >
      <Field
        label="When"
        name="scheduledAt"
        hint={`In your time zone: ${zone}`}
        error={fault ?? fieldFault(schedule.error, "scheduledAt")}
      >
        <Input
          type="datetime-local"
          defaultValue={localInput(scheduledAt ? new Date(scheduledAt) : nextMorning())}
        />
      </Field>
    </DialogForm>
  );
}

/** Sends the mail as it is now to a few people. */
export function TestDialog({ campaign, flush, onClose, email }: Shared & { email: string }) {
  const api = useApi();
  const test = useMutation({
    mutationFn: async (to: string[]) => {
      await flush();
      return api("POST /v1/campaigns/{id}/test", { params: { id: campaign.id }, body: { to } });
    },
    onSuccess: ({ data }) => {
      toast.success(
        data.emails.length === 1
          ? "The test is on its way"
          : `${data.emails.length} tests are on their way`,
        { description: data.emails.map(({ contact }) => contact.email).join(", ") },
      );
      onClose();
    },
  });
  const placed = ["to", "to[0]", "to[1]", "to[2]", "to[3]", "to[4]"];
  return (
    <DialogForm
      title="Send a test"
      description="Real mail with the footer and everything, its subject marked with [Test]. It counts in no figure."
      action="Send test"
      onClose={onClose}
      pending={test.isPending}
      fault={formFault(test.error, placed)}
      onSubmit={(given) =>
        test.mutate(
          textOf(given, "to")
            .split(/[\s,;]+/)
            .filter(Boolean),
        )
      }
    >
      <Field
        label="To"
        name="to"
        hint="Up to five addresses, with commas between them. A contact sees their own name in it."
        error={placed.map((path) => fieldFault(test.error, path)).find(Boolean) ?? null}
      >
        <Input defaultValue={email} autoComplete="off" inputMode="email" autoFocus />
      </Field>
    </DialogForm>
  );
}
