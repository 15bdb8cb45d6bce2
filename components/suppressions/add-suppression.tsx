"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { suppressionCreate } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";

/** The button that suppresses an address or a domain. Renders nothing for those who may not. */
export function AddSuppression() {
  const [open, setOpen] = useState(false);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Suppress an address")}
      </Button>
      {open && <AddDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: { email: "" },
    schema: suppressionCreate,
    send: (body) => api("POST /v1/suppressions", { body }),
    onSent: ({ email, reason }) => {
      if (reason === "manual" || reason === "domain")
        toast.success(t("Nothing is sent to {email} any more", { email }));
      else toast.success(t("{email} was already suppressed", { email }));
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Suppress an address or a domain")}
      action={t("Suppress")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Address or domain")}
        name="email"
        hint={t(
          "Nothing is sent to it from now on, transactional mail included, whether or not it is a contact. @example.com stands for everybody at example.com, but not for its subdomains.",
        )}
        error={form.fault("email")}
      >
        <Input
          {...form.text("email")}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          autoComplete="off"
          placeholder="ada@example.com"
        />
      </Field>
    </DialogForm>
  );
}
