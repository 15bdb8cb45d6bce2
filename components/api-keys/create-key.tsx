"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { fieldFault, formFault, schemaFaults, type Faults } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useMay } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogForm } from "@/components/ui/dialog-form";
import { Field, Input } from "@/components/ui/field";
import { apiKeyCreate, type ApiKeyCreate, type ApiKeyCreated } from "@/lib/domain/api-keys/schema";
import { NewKeyDialog } from "./new-key";

const scopes = [
  { value: "full", label: "Everything", hint: "Reads and changes all of the project." },
  { value: "sending", label: "Sending only", hint: "Sends email and can do nothing else." },
] as const;

const modes = [
  { value: "live", label: "Live", hint: "Mail goes to the people it is for." },
  {
    value: "test",
    label: "Test",
    hint: "Mail goes the whole way and ends in the captured mailbox.",
  },
] as const;

/** The button that makes a key and shows it, once. Nothing for those who may not. */
export function CreateKey() {
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<ApiKeyCreated | null>(null);
  if (!useMay("admin")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> Create key
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
  const [scope, setScope] = useState<NonNullable<ApiKeyCreate["scope"]>>("full");
  const [mode, setMode] = useState<NonNullable<ApiKeyCreate["mode"]>>("live");
  const [faults, setFaults] = useState<Faults>({});
  const create = useMutation({
    mutationFn: (body: ApiKeyCreate) => api("POST /v1/api-keys", { body }),
    onSuccess: (key) => {
      onCreated(key);
    },
  });
  const submit = (given: FormData) => {
    const checked = apiKeyCreate.safeParse({ name: given.get("name"), scope, mode });
    setFaults(checked.success ? {} : schemaFaults(checked.error));
    if (checked.success) create.mutate(checked.data);
  };
  return (
    <DialogForm
      title="Create an API key"
      action="Create key"
      onClose={onClose}
      onSubmit={submit}
      pending={create.isPending}
      fault={formFault(create.error, ["name"])}
    >
      <Field
        label="Name"
        name="name"
        hint="Where it is used, so that you know it again: one key per program."
        error={faults.name ?? fieldFault(create.error, "name")}
      >
        <Input autoFocus autoComplete="off" placeholder="Web shop" />
      </Field>
      <ChoiceCards label="What it may do" options={scopes} value={scope} onChange={setScope} />
      <ChoiceCards label="Where its mail goes" options={modes} value={mode} onChange={setMode} />
    </DialogForm>
  );
}
