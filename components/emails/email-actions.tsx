"use client";

import { useMutation } from "@tanstack/react-query";
import { Ban, CalendarClock } from "lucide-react";
import { useState } from "react";
import { fieldFault, formFault, messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import {
  farthestScheduleDays,
  rescheduleInput,
  type EmailRecord,
} from "@/lib/domain/emails/schema";

/** Reschedule and cancel, for waiting mail and people who may. */
export function EmailActions({
  email,
  onChange,
}: {
  email: EmailRecord;
  onChange: (email: EmailRecord) => void;
}) {
  const [open, setOpen] = useState<"move" | "cancel" | null>(null);
  if (!useMay("editor") || email.status !== "PENDING") return null;
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen("move")}>
        <CalendarClock aria-hidden /> Reschedule
      </Button>
      <Button onClick={() => setOpen("cancel")}>
        <Ban aria-hidden /> Cancel email
      </Button>
      {open === "move" && <Reschedule email={email} onChange={onChange} onClose={close} />}
      {open === "cancel" && <Cancel email={email} onChange={onChange} onClose={close} />}
    </>
  );
}

interface Asked {
  email: EmailRecord;
  onChange: (email: EmailRecord) => void;
  onClose: () => void;
}

function Cancel({ email, onChange, onClose }: Asked) {
  const api = useApi();
  const cancel = useMutation({
    mutationFn: () => api("POST /v1/emails/{id}/cancel", { params: { id: email.id } }),
    onSuccess: (answer) => {
      onChange(answer.email);
      toast.success("The email was cancelled");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Cancel “${email.subject || "(no subject)"}”?`}
      action="Cancel email"
      onConfirm={() => cancel.mutate()}
      pending={cancel.isPending}
      error={cancel.isError ? messageOf(cancel.error) : null}
    >
      {email.contact?.email ?? "The recipient"} will not receive it. You cannot undo this; you would
      have to send a new email.
    </ConfirmDialog>
  );
}

/** The value of a datetime-local input: the viewer's wall clock, to the minute. */
function localValue(instant: Date): string {
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

function Reschedule({ email, onChange, onClose }: Asked) {
  const api = useApi();
  const [now] = useState(() => new Date());
  const [problem, setProblem] = useState<string | null>(null);
  const move = useMutation({
    mutationFn: (body: { scheduledAt: string }) =>
      api("PATCH /v1/emails/{id}", { params: { id: email.id }, body }),
    onSuccess: (answer) => {
      onChange(answer.email);
      toast.success("The email was rescheduled");
      onClose();
    },
  });
  const submit = (given: FormData) => {
    const value = given.get("scheduledAt");
    const at = new Date(typeof value === "string" ? value : "");
    const checked = rescheduleInput.safeParse({
      scheduledAt: Number.isNaN(at.getTime()) ? "" : at.toISOString(),
    });
    setProblem(checked.success ? null : "Enter a date and a time.");
    if (checked.success) move.mutate(checked.data);
  };
  const start = email.scheduledAt
    ? new Date(email.scheduledAt)
    : new Date(now.getTime() + 3_600_000);
  return (
    <DialogForm
      title="Reschedule"
      description={email.subject || "(no subject)"}
      action="Reschedule"
      cancel="Keep as it is"
      onClose={onClose}
      onSubmit={submit}
      pending={move.isPending}
      fault={formFault(move.error, ["scheduledAt"])}
    >
      <Field
        label="Send at"
        name="scheduledAt"
        hint={`In your time zone, up to ${farthestScheduleDays} days ahead.`}
        error={problem ?? fieldFault(move.error, "scheduledAt")}
      >
        <Input
          type="datetime-local"
          defaultValue={localValue(start)}
          min={localValue(now)}
          max={localValue(new Date(now.getTime() + farthestScheduleDays * 86_400_000))}
        />
      </Field>
    </DialogForm>
  );
}
