"use client";

import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { suppressionCreate } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";

/** Asks for an address or a domain to suppress. */
export function AddSuppressionDialog({ onClose }: { onClose: () => void }) {
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
