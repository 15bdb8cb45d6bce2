"use client";

import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { apiKeyCreate, type ApiKeyCreated } from "@/lib/domain/api-keys/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const scopes = phrases([
  { value: "full", label: "Everything", hint: "Reads and changes everything in the project." },
  { value: "sending", label: "Sending only", hint: "Sends email and nothing else." },
]);

const modes = phrases([
  { value: "live", label: "Live", hint: "Mail goes out to its recipients." },
  {
    value: "test",
    label: "Test",
    hint: "Mail is processed in full but ends up in the captured mailbox.",
  },
]);

/** Asks what a key is for. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (key: ApiKeyCreated) => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { name: "", scope: "full", mode: "live" },
    schema: apiKeyCreate,
    leaves: true,
    send: (body) => api("POST /v1/api-keys", { body }),
    onSent: (key) => {
      onCreated(key);
    },
  });
  return (
    <DialogForm
      title={t("Create an API key")}
      action={t("Create key")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Name")}
        name="name"
        hint={t(
          "Where the key is used, so that you recognise it later. One key per program is best.",
        )}
        error={form.fault("name")}
      >
        <Input {...form.text("name")} autoFocus autoComplete="off" placeholder={t("Web shop")} />
      </Field>
      <ChoiceCards
        label={t("What it may do")}
        options={scopes}
        value={form.draft.scope}
        onChange={(scope) => form.set({ scope })}
      />
      <ChoiceCards
        label={t("Where its mail goes")}
        options={modes}
        value={form.draft.mode}
        onChange={(mode) => form.set({ mode })}
      />
    </DialogForm>
  );
}
