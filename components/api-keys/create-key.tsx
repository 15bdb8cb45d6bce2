"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { DialogForm } from "@/components/form/dialog-form";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, Input } from "@/components/ui/field";
import { apiKeyCreate, type ApiKeyCreated } from "@/lib/domain/api-keys/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { NewKeyDialog } from "./new-key";

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

/** The button that creates a key and shows it once. Renders nothing for those who may not. */
export function CreateKey() {
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<ApiKeyCreated | null>(null);
  if (!useMay("admin")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Create key")}
      </Button>
      {open && (
        <CreateKeyDialog
          onClose={() => setOpen(false)}
          onCreated={(key) => {
            setOpen(false);
            setCreated(key);
          }}
        />
      )}
      {created && <NewKeyDialog created={created} onClose={() => setCreated(null)} />}
    </>
  );
}

function CreateKeyDialog({
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
