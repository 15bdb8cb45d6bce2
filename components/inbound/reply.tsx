"use client";

import { Reply as ReplyIcon } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { InboundEmail } from "@/lib/domain/inbound/schema";
import { t } from "@/lib/ground/texts/t";

const replyInput = lazySchema(async () => (await import("@/lib/domain/inbound/schema")).replyInput);

/** The button that answers a message. Nothing for those who may not, or for automatic mail. */
export function Reply({ message }: { message: InboundEmail }) {
  const [open, setOpen] = useState(false);
  const may = useMay("editor");
  if (!may || message.automatic || message.envelopeFrom === "") return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <ReplyIcon aria-hidden /> {t("Reply")}
      </Button>
      {open && <ReplyDialog message={message} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReplyDialog({ message, onClose }: { message: InboundEmail; onClose: () => void }) {
  const api = useApi();
  const to = (message.replyTo.find(({ email }) => email !== "") ?? message.from).email;
  const form = useForm({
    initial: { text: "" },
    schema: replyInput,
    check: ({ text }: { text: string }) => (text.trim() === "" ? { text: t("is empty") } : {}),
    send: (body) => api("POST /v1/inbound/{id}/reply", { params: { id: message.id }, body }),
    onSent: () => {
      toast.success(t("The reply to {to} is on its way", { to }));
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Reply to {to}", { to })}
      description={t("From {address}, in the same conversation.", { address: message.to[0] })}
      action={t("Send reply")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Message")} name="text" error={form.fault("text")}>
        <Textarea {...form.text("text")} rows={10} autoFocus />
      </Field>
    </DialogForm>
  );
}
