"use client";

import { Ban, CalendarClock } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { instantOf, localInput } from "@/components/form/local-time";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { farthestScheduleDays } from "@/lib/domain/emails/terms";
import { t } from "@/lib/ground/texts/t";

const rescheduleInput = lazySchema(
  async () => (await import("@/lib/domain/emails/schema")).rescheduleInput,
);

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
        <CalendarClock aria-hidden /> {t("Reschedule")}
      </Button>
      <Button onClick={() => setOpen("cancel")}>
        <Ban aria-hidden /> {t("Cancel email")}
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
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Cancel “{subject}”?", { subject: email.subject || t("(no subject)") })}
      action={t("Cancel email")}
      dismiss={t("Keep it")}
      run={() => api("POST /v1/emails/{id}/cancel", { params: { id: email.id } })}
      done={t("The email was cancelled")}
      onDone={(answer) => onChange(answer.email)}
    >
      {email.contact
        ? t(
            "{email} will not receive it. You cannot undo this; you would have to send a new email.",
            { email: email.contact.email },
          )
        : t(
            "The recipient will not receive it. You cannot undo this; you would have to send a new email.",
          )}
    </ConfirmAction>
  );
}

function Reschedule({ email, onChange, onClose }: Asked) {
  const api = useApi();
  const [now] = useState(() => new Date());
  const start = email.scheduledAt
    ? new Date(email.scheduledAt)
    : new Date(now.getTime() + 3_600_000);
  const form = useForm({
    initial: () => ({ scheduledAt: localInput(start) }),
    schema: rescheduleInput,
    input: ({ scheduledAt }) => ({ scheduledAt: instantOf(scheduledAt) }),
    check: ({ scheduledAt }) =>
      instantOf(scheduledAt) ? {} : { scheduledAt: t("Enter a date and a time.") },
    places: ["scheduledAt", "sendBefore"],
    leaves: true,
    send: (body) => api("PATCH /v1/emails/{id}", { params: { id: email.id }, body }),
    onSent: (answer) => {
      onChange(answer.email);
      toast.success(t("The email was rescheduled"));
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Reschedule")}
      description={email.subject || t("(no subject)")}
      action={t("Reschedule")}
      cancel={t("Keep as it is")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Send at")}
        name="scheduledAt"
        hint={t("In your time zone, up to {days} days ahead.", { days: farthestScheduleDays })}
        error={
          form.fault("scheduledAt") ??
          (form.fault("sendBefore") &&
            t("This is too late: its sender wants it sent earlier or not at all (sendBefore)."))
        }
      >
        <Input
          {...form.text("scheduledAt")}
          type="datetime-local"
          min={localInput(now)}
          max={localInput(new Date(now.getTime() + farthestScheduleDays * 86_400_000))}
        />
      </Field>
    </DialogForm>
  );
}
