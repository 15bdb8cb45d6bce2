"use client";

import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useAction } from "@/components/form/use-action";
import { useForm } from "@/components/form/use-form";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/doors/http/client";
import { suppressionCreate } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";

/** Asks for an address or a domain to suppress. */
export function AddSuppressionDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  /** null: mail may be sent to it. */
  const suppressionOf = (email: string) =>
    api("GET /v1/suppressions/{email}", { params: { email } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "NOT_FOUND") return null;
      throw error;
    });
  const lift = useAction({
    mutationFn: (email: string) => api("DELETE /v1/suppressions/{email}", { params: { email } }),
    onSuccess: (_, email) => toast.success(t("Mail may be sent to {email} again", { email })),
    onError: (error) => toast.error(t("Nothing was undone"), { description: messageOf(error) }),
  });
  const form = useForm({
    initial: { email: "" },
    schema: suppressionCreate,
    send: async (body) => {
      const before = await suppressionOf(body.email);
      const { email } = await api("POST /v1/suppressions", { body });
      // Its domain may have been suppressed before, but not the address itself.
      return { email, isNew: before?.email !== email };
    },
    onSent: ({ email, isNew }) => {
      if (isNew)
        toast.success(t("Nothing is sent to {email} any more", { email }), {
          action: { label: t("Undo"), run: () => lift.mutate(email) },
        });
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
